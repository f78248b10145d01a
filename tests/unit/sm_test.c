/* SPDX-License-Identifier: Apache-2.0 */
/* Does an SM compute what the host computes, in the time that its parameters say? */
#include "kit/gpu_kernels.h"

/* ---- values ---- */

static void test_divergent_loops_equal_the_host(void **state) {
  (void)state;
  struct fixture f;
  uint32_t *in, *out;
  fixture_start(&f, NULL, divergent_kernel);
  run_case(&f, &kernel_cases[0], &in, &out);
  for (uint32_t i = 0; i < 9 * CASE_THREADS; i++) assert_int_equal(in[i], collatz_steps(i + 1));
  assert_true(fixture_counters(&f).divergent_branches > 0);
  fixture_end(&f);
}

static void test_reductions_over_barriers_equal_the_host(void **state) {
  (void)state;
  struct fixture f;
  uint32_t *in, *out;
  fixture_start(&f, NULL, reduction_kernel);
  run_case(&f, &kernel_cases[1], &in, &out);
  for (uint32_t c = 0; c < 40; c++) {
    uint32_t sum = 0;
    for (uint32_t t = 0; t < CASE_THREADS; t++) sum += in[c * CASE_THREADS + t];
    assert_int_equal(out[c], sum);
  }
  /* one barrier, then one a step; 4 warps */
  assert_int_equal(fixture_counters(&f).barriers, 40 * 4 * (1 + 7));
  fixture_end(&f);
}

static void test_atomics_equal_the_host(void **state) {
  (void)state;
  struct fixture f;
  uint32_t *in, *out, bins[8] = {0}, largest = 0;
  fixture_start(&f, NULL, atomic_kernel);
  run_case(&f, &kernel_cases[2], &in, &out);
  for (uint32_t i = 0; i < 24 * CASE_THREADS; i++) {
    bins[in[i] & 7]++;
    if (in[i] > largest) largest = in[i];
  }
  for (uint32_t b = 0; b < 8; b++) assert_int_equal(out[b], bins[b]);
  assert_int_equal(out[8], largest);
  fixture_end(&f);
}

static void test_a_block_that_is_no_multiple_of_a_warp_runs_its_threads_only(void **state) {
  (void)state;
  struct fixture f;
  uint32_t *in;
  fixture_start(&f, NULL, divergent_kernel);
  uint64_t params[1] = {fixture_words(&f, 256, &in)};
  memset(in, 0xff, 256 * 4);
  fixture_run(&f, 1, 45, params);
  for (uint32_t i = 0; i < 256; i++) assert_int_equal(in[i], i < 45 ? collatz_steps(i + 1) : UINT32_MAX);
  fixture_end(&f);
}

/* ---- counters ---- */

static const char *const settings[] = {
  NULL,
  "sm.scheduler=rr sm.schedulers=2",
  "sm.simd_width=8 sm.schedulers=2 l1.bytes=0",
  "sm.fetch=buffered sm.schedulers=2",
  "l1.mshrs=2 l1.mshr_merges=2 lsu.queue=1 sm.latency.int=100",
  "clock.core_khz=600000 clock.noc_khz=700000 clock.l2_khz=350000 clock.dram_khz=924000 "
  "sm.ctas=3",
};
enum { N_SETTINGS = sizeof settings / sizeof settings[0] };

static void test_every_cycle_is_an_issue_or_one_stall(void **state) {
  (void)state;
  for (uint32_t s = 0; s < N_SETTINGS; s++) {
    for (uint32_t k = 0; k < N_KERNEL_CASES; k++) {
      struct fixture f;
      uint32_t *in, *out;
      fixture_start(&f, settings[s], kernel_cases[k].ptx);
      run_case(&f, &kernel_cases[k], &in, &out);
      for (uint32_t i = 0; i < gpu_sm_count(f.gpu); i++) {
        const struct sm_counters *c = gpu_sm_counters(f.gpu, i);
        uint64_t sum = c->issue_cycles + c->stall_memory + c->stall_shared + c->stall_dma + c->stall_barrier +
                       c->stall_data + c->stall_structural;
        if (sum != c->cycles)
          fail_msg("%s, settings %u, SM %u: %llu cycles, but %llu in classes", kernel_cases[k].name, s, i,
                   (unsigned long long)c->cycles, (unsigned long long)sum);
        assert_true(c->cycles > 0);
      }
      assert_int_equal(fixture_counters(&f).ctas, kernel_cases[k].ctas);
      fixture_end(&f);
    }
  }
}

/* A kernel whose lanes read shared words `stride` apart, 8 warps. */
static void test_a_stride_of_k_words_costs_k_port_cycles(void **state) {
  (void)state;
  for (uint32_t k = 1; k <= 32; k *= 2) {
    struct fixture f;
    char text[1024];
    uint32_t *out;
    snprintf(text, sizeof text,
             "%s.shared .align 4 .b8 tile[4096];\nmov.u32 %%r10, tile; and.b32 %%r11, %%r4, 31;\n"
             "mad.lo.u32 %%r12, %%r11, %u, %%r10; ld.shared.u32 %%r13, [%%r12]; st.global.u32 "
             "[%%rd1], %%r13; ret;\n}\n",
             KERNEL_BEGIN(".param .u64 p0", ""), 4 * k);
    fixture_start(&f, NULL, text);
    uint64_t params[1] = {fixture_words(&f, 256, &out)};
    fixture_run(&f, 2, 128, params);
    assert_int_equal(fixture_counters(&f).shared_accesses, 8);
    assert_int_equal(fixture_counters(&f).shared_conflict_cycles, 8 * (k - 1));
    fixture_end(&f);
  }
}

/* ---- time ---- */

/* Cycles that one warp needs for `n` copies of `line` after a common head. */
static uint64_t cycles_of(const char *config, const char *line, uint32_t n, uint32_t threads) {
  struct fixture f;
  static char text[65536];
  uint32_t *out;
  size_t used =
    (size_t)snprintf(text, sizeof text, "%s",
                     KERNEL_BEGIN(".param .u64 p0", "mov.u32 %r10, 1; mov.u32 %r11, 2; mov.f32 %f1, 0f3F800000;\n"
                                                    "mov.f32 %f2, 0f3F800000; mov.f64 %d1, 0d3FF0000000000000;\n"
                                                    "mov.f64 %d2, %d1;\n"));
  for (uint32_t i = 0; i < n; i++) used += (size_t)snprintf(text + used, sizeof text - used, "%s\n", line);
  snprintf(text + used, sizeof text - used, "ret;\n}\n");
  fixture_start(&f, config, text);
  uint64_t params[1] = {fixture_words(&f, 1024, &out)};
  fixture_run(&f, 1, threads, params);
  uint64_t cycles = fixture_counters(&f).cycles;
  fixture_end(&f);
  return cycles;
}

/* Cycles a copy, from the difference of 60 and 10 copies. */
static uint64_t slope(const char *config, const char *line, uint32_t threads) {
  uint64_t more = cycles_of(config, line, 60, threads), less = cycles_of(config, line, 10, threads);
  assert_int_equal((more - less) % 50, 0);
  return (more - less) / 50;
}

static void test_dependent_operations_take_their_latency(void **state) {
  (void)state;
  assert_int_equal(slope("sm.latency.int=7", "add.u32 %r10, %r10, %r11;", 32), 7);
  assert_int_equal(slope("sm.latency.f32=5", "add.f32 %f1, %f1, %f2;", 32), 5);
  assert_int_equal(slope("sm.latency.f64=11", "add.f64 %d1, %d1, %d2;", 32), 11);
  assert_int_equal(slope("sm.latency.sfu=100", "sqrt.approx.f32 %f1, %f1;", 32), 100); /* beyond the wheel */
  assert_int_equal(slope("sm.latency.branch=9", "bar.sync 0;", 32), 9);
}

static void test_independent_operations_take_their_interval(void **state) {
  (void)state;
  const char *move = "mov.u32 %r12, %r4; mov.u32 %r13, %r4; mov.u32 %r14, %r4; mov.u32 %r15, %r4; "
                     "mov.u32 %r16, %r4;";
  assert_int_equal(slope("sm.latency.int=4", move, 32), 5);
  assert_int_equal(slope("sm.latency.int=4 sm.simd_width=8", move, 32), 20); /* 4 cycles a warp */
  /* two schedulers, two warps: as fast as one */
  assert_int_equal(slope("sm.latency.int=4 sm.schedulers=2", move, 64), 5);
  assert_int_equal(slope("sm.latency.int=4 sm.schedulers=1", move, 64), 10);
  assert_int_equal(slope("sm.interval.sfu=8 sm.latency.sfu=20",
                         "sqrt.approx.f32 %f3, %f1; sqrt.approx.f32 %f4, %f1;"
                         "sqrt.approx.f32 %f5, %f1; sqrt.approx.f32 %f6, %f1;",
                         32),
                   32);
}

#define PRODUCT(d, c) \
  "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {" d "}, {%r10,%r10,%r11,%r11}, {%r10,%r11}, {" c "};"
#define SMALL_PRODUCT(d) \
  "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {" d "}, {%r10,%r10}, {%r10}, {%f1,%f1,%f2,%f2};"

/* The unit of each scheduler takes its rate, a product's result its latency; without a unit the launch is refused. */
static void test_products_of_matrices_take_the_matrix_units(void **state) {
  const char *chain = PRODUCT("%f3,%f4,%f5,%f6", "%f3,%f4,%f5,%f6");
  const char *four = SMALL_PRODUCT("%f3,%f4,%f5,%f6") SMALL_PRODUCT("%f3,%f4,%f5,%f6");
  const char *tf32 =
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f3,%f4,%f5,%f6}, {%r10,%r10,%r10,%r10}, {%r10,%r10}, "
    "{%f1,%f1,%f2,%f2};";
  const char *f64 = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d3,%d4}, {%d1}, {%d1}, {%d1,%d2};";
  const char *s8 =
    "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r12,%r13,%r14,%r15}, {%r10,%r10,%r10,%r10}, {%r10,%r10}, "
    "{%r10,%r10,%r10,%r10};";
  struct fixture f;
  char text[2048];
  (void)state;
  assert_int_equal(slope("sm.latency.matrix=33 sm.matrix.rate=512", chain, 32), 33);
  assert_int_equal(slope("sm.latency.matrix=1 sm.matrix.rate=256", four, 32), 2 * 4); /* 1024 multiply-adds each */
  assert_int_equal(slope("sm.latency.matrix=1 sm.matrix.rate=200", four, 32), 2 * 6);
  assert_int_equal(slope("sm.latency.matrix=1 sm.matrix.rate=256", four, 64), 4 * 4); /* two warps share the unit */
  assert_int_equal(slope("sm.latency.matrix=1 sm.matrix.rate=256 sm.schedulers=2", four, 64), 2 * 4);
  assert_int_equal(slope("sm.latency.matrix=1 sm.matrix.rate=256", tf32, 32), 8);
  assert_int_equal(slope("sm.latency.matrix=1 sm.matrix.rate=256", f64, 32),
                   16); /* 256 multiply-adds, a sixteenth as fast */
  assert_int_equal(slope("sm.latency.matrix=1 sm.matrix.rate=256", s8, 32), 8);
  snprintf(text, sizeof text, "%s%s ret;\n}\n", KERNEL_BEGIN(".param .u64 p0", ""), s8);
  fixture_start(&f, NULL, text);
  struct err e = {0};
  assert_int_equal(sm_occupancy(&f.setup.config, ptx_module_kernel_at(f.module, 0), 32, 0, &e), 0);
  assert_non_null(strstr(e.text, "has no unit for it (sm.matrix.rate is 0); take a GPU that has one, such as h100"));
  fixture_end(&f);
}

static void test_a_shared_load_takes_its_latency_and_its_conflicts(void **state) {
  (void)state;
  const char *chain = "ld.shared.u32 %r20, [%r20];";
  struct fixture f;
  uint64_t cycles[2];
  for (uint32_t i = 0; i < 2; i++) { /* a chain of 11 and of 1 loads; word 0 holds 0 */
    char text[4096] = KERNEL_BEGIN(".param .u64 p0", ".shared .align 4 .b8 tile[4096];\n"
                                                     "mov.u32 %r20, tile;\n");
    uint32_t *out;
    for (uint32_t n = 0; n < (i ? 1 : 11); n++) strcat(text, chain);
    strcat(text, "st.global.u32 [%rd1], %r20; ret;\n}\n");
    fixture_start(&f, "shared.latency=30", text);
    uint64_t params[1] = {fixture_words(&f, 64, &out)};
    fixture_run(&f, 1, 32, params);
    cycles[i] = fixture_counters(&f).cycles;
    fixture_end(&f);
  }
  /* a cycle from issue into the load/store unit, then the latency */
  assert_int_equal((cycles[0] - cycles[1]) / 10, 31);
}

/* The stall causes of one warp that does one thing after another. */
static struct sm_counters lone_warp(const char *body) {
  struct fixture f;
  char text[4096];
  uint32_t *words;
  snprintf(text, sizeof text, "%s%sret;\n}\n",
           KERNEL_BEGIN(".param .u64 p0", ".shared .align 4 .b8 tile[128];\nmov.u32 %r20, tile;\n"), body);
  fixture_start(&f, "sm.count=1 shared.latency=50 sm.latency.sfu=60", text);
  uint64_t params[1] = {fixture_words(&f, 256, &words)};
  fixture_run(&f, 1, 32, params);
  struct sm_counters c = fixture_counters(&f);
  fixture_end(&f);
  return c;
}

static void test_a_stall_is_named_for_what_is_waited_for(void **state) {
  (void)state;
  struct sm_counters none = lone_warp("");
  struct sm_counters shared = lone_warp("ld.shared.u32 %r21, [%r20]; add.u32 %r22, %r21, 1;\n");
  assert_int_equal(none.stall_shared, 0);
  assert_int_equal(shared.stall_shared, 50); /* issue at t, LSU at t + 1, value at t + 51 */
  assert_int_equal(shared.stall_memory, 0);
  struct sm_counters sfu = lone_warp("sqrt.approx.f32 %f2, %f1; add.f32 %f3, %f2, %f2;\n");
  assert_int_equal(sfu.stall_data - none.stall_data, 59);
  struct sm_counters global = lone_warp("ld.global.u32 %r21, [%rd1]; add.u32 %r22, %r21, 1;\n");
  assert_true(global.stall_memory > 100);
}

/* Even if nobody reads the value: registers and hardware warp are not released before. */
static void test_a_cta_does_not_end_before_its_loads(void **state) {
  (void)state;
  struct sm_counters used = lone_warp("ld.global.u32 %r21, [%rd1]; add.u32 %r22, %r21, 1;\n");
  struct sm_counters unused = lone_warp("ld.global.u32 %r21, [%rd1];\n");
  assert_in_range(unused.stall_memory, used.stall_memory - 10, used.stall_memory);
}

/* ---- L1 ---- */

/* A warp that loads one line twice; `second` is the second load. */
static struct sm_counters two_loads(const char *config, const char *second) {
  struct fixture f;
  char text[2048];
  uint32_t *in;
  snprintf(text, sizeof text, "%s%s%s",
           KERNEL_BEGIN(".param .u64 p0", "ld.global.u32 %r10, [%rd1]; add.u32 %r11, %r10, 1;\n"), second,
           "\nst.global.u32 [%rd1+1024], %r12; ret;\n}\n");
  fixture_start(&f, config, text);
  uint64_t params[1] = {fixture_words(&f, 1024, &in)};
  for (uint32_t i = 0; i < 32; i++) in[i] = 100 + i;
  fixture_run(&f, 1, 32, params);
  for (uint32_t i = 0; i < 32; i++) assert_int_equal(in[256 + i], 100 + i);
  struct sm_counters c = fixture_counters(&f);
  fixture_end(&f);
  return c;
}

static void test_a_line_hits_once_it_is_filled(void **state) {
  (void)state;
  struct sm_counters c = two_loads(NULL, "ld.global.u32 %r12, [%rd1];");
  assert_int_equal(c.l1_merges + c.l1_hits, 1); /* the first reply may not be there yet */
  assert_int_equal(c.l1_misses, 1);
  /* a use of the first load's value orders the second one behind its reply */
  const char *ordered = "sub.u32 %r13, %r11, %r10; sub.u32 %r14, %r13, 1; mul.wide.u32 %rd10, %r14, 4;"
                        "add.s64 %rd11, %rd1, %rd10; ld.global.u32 %r12, [%rd11];";
  c = two_loads(NULL, ordered);
  assert_int_equal(c.l1_hits, 1);
  assert_int_equal(c.l1_misses, 1);
  assert_int_equal(c.transactions, 3);
  c = two_loads("l1.bytes=0", ordered);
  assert_int_equal(c.l1_hits, 0);
  assert_int_equal(c.l1_misses, 2);
  const char *bypass = "sub.u32 %r13, %r11, %r10; sub.u32 %r14, %r13, 1; mul.wide.u32 %rd10, %r14, 4;"
                       "add.s64 %rd11, %rd1, %rd10; ld.volatile.global.u32 %r12, [%rd11];";
  c = two_loads(NULL, bypass);
  assert_int_equal(c.l1_hits, 0);
  assert_int_equal(c.l1_misses, 2);
}

static void test_loads_of_one_line_share_a_request(void **state) {
  (void)state;
  struct fixture f;
  uint32_t *in;
  const char *text = KERNEL(".param .u64 p0", "ld.global.u32 %r10, [%rd2]; add.u32 %r11, %r10, 1;\n"
                                              "st.global.u32 [%rd1+128], %r11; ret;\n");
  for (uint32_t merges = 1; merges <= 8; merges *= 8) {
    char config[64];
    snprintf(config, sizeof config, "l1.mshr_merges=%u", merges);
    fixture_start(&f, config, text);
    uint64_t params[1] = {fixture_words(&f, 1024, &in)};
    in[0] = 41;
    fixture_run(&f, 1, 256, params); /* 8 warps, one word */
    struct sm_counters c = fixture_counters(&f);
    for (uint32_t i = 0; i < 256; i++) assert_int_equal(in[32 + i], 42);
    assert_int_equal(c.l1_misses, 1);
    assert_int_equal(c.l1_misses + c.l1_merges + c.l1_hits, 8);
    if (merges == 8) assert_int_equal(c.l1_merges, 7);
    else assert_true(c.l1_mshr_stalls > 0);
    fixture_end(&f);
  }
}

/* ---- barriers ---- */

/* Warps 0 and 1 hand words to warps 2 and 3 through barrier 1 of 128 threads, arriving without
 * waiting. */
static void test_producers_arrive_and_consumers_wait(void **state) {
  (void)state;
  struct fixture f;
  uint32_t *out;
  const char *text =
    KERNEL(".param .u64 p0", ".shared .align 4 .b8 tile[256];\n"
                             "mov.u32 %r10, tile; and.b32 %r11, %r4, 63; shl.b32 %r12, %r11, 2;\n"
                             "add.u32 %r13, %r10, %r12;\n"
                             "setp.ge.u32 %p1, %r4, 64; @%p1 bra CONSUME;\n"
                             "mul.lo.u32 %r14, %r4, 3; st.shared.u32 [%r13], %r14; bar.arrive 1, 128; ret;\n"
                             "CONSUME: bar.sync 1, 128; ld.shared.u32 %r15, [%r13];\n"
                             "st.global.u32 [%rd1], %r15; ret;\n");
  fixture_start(&f, NULL, text);
  uint64_t params[1] = {fixture_words(&f, 128, &out)};
  fixture_run(&f, 1, 128, params);
  for (uint32_t i = 64; i < 128; i++) assert_int_equal(out[i], 3 * (i - 64));
  fixture_end(&f);
}

static void test_exited_warps_do_not_hold_up_a_barrier(void **state) {
  (void)state;
  struct fixture f;
  uint32_t *out;
  const char *text =
    KERNEL(".param .u64 p0", "setp.lt.u32 %p1, %r4, 64; @%p1 ret; bar.sync 0; st.global.u32 [%rd1], %r4;\n"
                             "ret;\n");
  fixture_start(&f, NULL, text);
  uint64_t params[1] = {fixture_words(&f, 128, &out)};
  fixture_run(&f, 1, 128, params);
  for (uint32_t i = 0; i < 128; i++) assert_int_equal(out[i], i < 64 ? 0 : i);
  fixture_end(&f);
}

/* ---- limits and faults ---- */

static void test_occupancy_is_the_tightest_limit(void **state) {
  (void)state;
  struct gpu_config m;
  struct err e = {.code = ERR_NONE};
  struct ptx_kernel k = {.name = "k", .live_registers = 20};
  gpu_config_defaults(&m);                               /* 1536 threads, 48 warps, 8 CTAs, 32768 registers, 48 KiB */
  assert_int_equal(sm_occupancy(&m, &k, 64, 0, &e), 8);  /* slots */
  assert_int_equal(sm_occupancy(&m, &k, 256, 0, &e), 6); /* threads */
  assert_int_equal(sm_occupancy(&m, &k, 250, 0, &e), 6); /* warps: 8 each */
  assert_int_equal(sm_occupancy(&m, &k, 64, 10000, &e), 4); /* 10112 bytes in grains of 128 */
  m.sm_shared_reserve = 113;
  assert_int_equal(sm_occupancy(&m, &k, 64, 12160, &e), 4); /* 12273 bytes, a quarter of shared memory is 12288 */
  m.sm_shared_parameters = 1;
  k.param_bytes = 24;
  assert_int_equal(sm_occupancy(&m, &k, 64, 12160, &e), 3); /* 12297 */
  m.sm_shared_reserve = m.sm_shared_parameters = 0;
  assert_int_equal(sm_occupancy(&m, &k, 64, 12160, &e), 4);
  k.live_registers = 64;
  assert_int_equal(sm_occupancy(&m, &k, 128, 0, &e), 4); /* 8192 registers each */
  k.shared_bytes = 20000;
  assert_int_equal(sm_occupancy(&m, &k, 128, 5000, &e), 1); /* 25088 bytes */
  assert_int_equal(e.code, ERR_NONE);
  assert_int_equal(sm_occupancy(&m, &k, 128, 30000, &e), 0);
  assert_int_equal(e.code, ERR_LIMIT);
  assert_non_null(strstr(e.text, "sm.shared_bytes"));
  k.live_registers = 1000;
  assert_int_equal(sm_occupancy(&m, &k, 128, 0, &e), 0);
  assert_non_null(strstr(e.text, "sm.registers"));
  k.shared_bytes = 0;
  m.sm_thread_registers = 60; /* as a compiler counted them: 15360 registers for 256 threads */
  assert_int_equal(sm_occupancy(&m, &k, 256, 0, &e), 2);
  assert_int_equal(sm_thread_registers(&m, &k), 60);
}

static void test_resident_ctas_never_exceed_the_occupancy(void **state) {
  (void)state;
  struct fixture f;
  uint32_t *in, *out;
  fixture_start(&f, "sm.count=1 sm.ctas=2 sm.warps=64", reduction_kernel);
  run_case(&f, &kernel_cases[1], &in, &out);
  uint64_t limited = fixture_counters(&f).cycles;
  fixture_end(&f);
  fixture_start(&f, "sm.count=1 sm.ctas=8 sm.warps=64", reduction_kernel);
  run_case(&f, &kernel_cases[1], &in, &out);
  assert_true(fixture_counters(&f).cycles < limited); /* latency is hidden */
  fixture_end(&f);
}

static void check_fault(const char *access, const char *expected) {
  struct fixture f;
  char text[2048];
  uint32_t *words;
  snprintf(text, sizeof text, "%s%s%s",
           KERNEL_BEGIN(".param .u64 p0", ".shared .align 4 .b8 tile[128];\n"
                                          "setp.ne.u32 %p1, %r1, 133; @%p1 ret;\n"),
           access, "\nret;\n}\n");
  fixture_start(&f, NULL, text);
  uint64_t params[1] = {fixture_words(&f, 1024, &words)};
  assert_int_equal(fixture_try(&f, 4, 128, params), ERR_FAULT);
  if (!strstr(f.e.text, expected)) fail_msg("'%s' is not in: %s", expected, f.e.text);
  assert_non_null(strstr(f.e.text, "test.ptx:12: kernel 'k'"));
  assert_non_null(strstr(f.e.text, "thread (5,0,0) of CTA (1,0,0)"));
  params[0] += 4096 - 4 * 512; /* the GPU can be used again */
  assert_int_equal(fixture_try(&f, 1, 128, params), 0);
  fixture_end(&f);
}

static void test_a_fault_names_line_thread_and_address(void **state) {
  (void)state;
  check_fault("ld.global.u32 %r10, [%rd1+2];", "misaligned global address 0x200000216");
  check_fault("mov.u64 %rd9, 64; st.global.u32 [%rd9], %r1;", "illegal global address 0x40 of a store of 4 bytes");
  check_fault("mov.u32 %r10, 4096; st.shared.u32 [%r10], %r1;", "illegal shared address 0x1000");
  check_fault("trap;", "executes trap");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_divergent_loops_equal_the_host),
    cmocka_unit_test(test_reductions_over_barriers_equal_the_host),
    cmocka_unit_test(test_atomics_equal_the_host),
    cmocka_unit_test(test_a_block_that_is_no_multiple_of_a_warp_runs_its_threads_only),
    cmocka_unit_test(test_every_cycle_is_an_issue_or_one_stall),
    cmocka_unit_test(test_a_stride_of_k_words_costs_k_port_cycles),
    cmocka_unit_test(test_dependent_operations_take_their_latency),
    cmocka_unit_test(test_independent_operations_take_their_interval),
    cmocka_unit_test(test_products_of_matrices_take_the_matrix_units),
    cmocka_unit_test(test_a_shared_load_takes_its_latency_and_its_conflicts),
    cmocka_unit_test(test_a_stall_is_named_for_what_is_waited_for),
    cmocka_unit_test(test_a_cta_does_not_end_before_its_loads),
    cmocka_unit_test(test_a_line_hits_once_it_is_filled),
    cmocka_unit_test(test_loads_of_one_line_share_a_request),
    cmocka_unit_test(test_producers_arrive_and_consumers_wait),
    cmocka_unit_test(test_exited_warps_do_not_hold_up_a_barrier),
    cmocka_unit_test(test_occupancy_is_the_tightest_limit),
    cmocka_unit_test(test_resident_ctas_never_exceed_the_occupancy),
    cmocka_unit_test(test_a_fault_names_line_thread_and_address),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
