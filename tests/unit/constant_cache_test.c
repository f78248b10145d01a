/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Does a constant load take the time of its port and its cache? */
#include "kit/gpu_kernels.h"

/* 256 threads at most; thread t loads words[t * stride % 1024] after `head`, then stores it to out[t]. */
static const char constant_kernel[] = PTX_HEADER
  ".const .align 4 .b8 table[4096];\n"
  ".visible .entry k(.param .u64 p0, .param .u32 mask, .param .u32 n)\n{\n"
  ".reg .pred %p<2>;\n.reg .b32 %r<12>;\n.reg .b64 %rd<8>;\n"
  "ld.param.u64 %rd1, [p0]; ld.param.u32 %r1, [mask]; ld.param.u32 %r2, [n];\n"
  "mov.u32 %r3, %tid.x; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ntid.x; mad.lo.u32 %r6, %r4, %r5, %r3;\n"
  "and.b32 %r7, %r3, %r1; mul.wide.u32 %rd2, %r7, 4; mov.u64 %rd3, table; add.u64 %rd4, %rd3, %rd2; mov.u32 %r8, 0;\n"
  "again: ld.const.u32 %r9, [%rd4]; add.u32 %r10, %r10, %r9; add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, %r2;\n"
  "@%p1 bra again;\n"
  "mul.wide.u32 %rd5, %r6, 4; add.u64 %rd6, %rd1, %rd5; st.global.u32 [%rd6], %r10; ret;\n}\n";

struct constant_params {
  uint64_t out;
  uint32_t mask, n;
};

static uint32_t word(uint32_t i) { return i * 2654435761u + 7; }

static void fill_table(struct fixture *f, uint32_t salt) {
  uint64_t bytes, at = ptx_module_global(f->module, "table", &bytes);
  uint32_t *table = device_memory_at(&f->memory, at, bytes);
  for (uint32_t i = 0; i < bytes / 4; i++) table[i] = word(i) + salt;
}

/* `ctas` of 32 threads: lane l reads word l & mask, n times. */
static struct sm_counters run_constant(const char *settings, uint32_t ctas, uint32_t mask, uint32_t n) {
  struct fixture f;
  uint32_t *out;
  fixture_start(&f, settings, constant_kernel);
  fill_table(&f, 0);
  struct constant_params p = {.out = fixture_words(&f, ctas * 32, &out), .mask = mask, .n = n};
  fixture_run(&f, ctas, 32, &p);
  for (uint32_t i = 0; i < ctas * 32; i++) assert_int_equal(out[i], n * word(i % 32 & mask));
  struct sm_counters c = fixture_counters(&f);
  fixture_end(&f);
  return c;
}

static void test_a_broadcast_costs_one_port_cycle_and_k_words_cost_k(void **state) {
  (void)state;
  for (uint32_t k = 1; k <= 32; k *= 2) {
    struct sm_counters c = run_constant("sm.count=1", 1, k - 1, 10);
    assert_int_equal(c.const_loads, 10);
    assert_int_equal(c.const_hits + c.const_misses + c.const_merges, 10 * k);
    assert_int_equal(c.const_conflict_cycles, 10 * (k - 1));
    assert_int_equal(c.const_misses, k <= 16 ? 1 : 2); /* lines of 64 bytes */
    assert_int_equal(c.global_loads, 0);
  }
}

/* Yuan's GPU configuration: half-warps, serialised over lines. */
static void test_half_warps_take_the_port_one_after_the_other(void **state) {
  (void)state;
  struct sm_counters all = run_constant("sm.count=1 const.lanes=16 const.conflict=line", 1, 31, 4);
  assert_int_equal(all.const_conflict_cycles, 0); /* 16 words are a line */
  assert_int_equal(all.const_hits + all.const_misses + all.const_merges, 4 * 2);
  struct sm_counters words = run_constant("sm.count=1 const.lanes=16", 1, 31, 4);
  assert_int_equal(words.const_conflict_cycles, 4 * (32 - 2));
  struct sm_counters lines =
    run_constant("sm.count=1 const.conflict=line const.line_bytes=32 const.bytes=1024", 1, 31, 4);
  assert_int_equal(lines.const_conflict_cycles, 4 * (4 - 1));
}

/* Cycles an iteration, from the difference of 60 and 10 of them: the load's latency, the dependent add, the loop. */
static uint64_t cycles_a_load(const char *settings, uint32_t mask) {
  uint64_t more = run_constant(settings, 1, mask, 60).cycles, less = run_constant(settings, 1, mask, 10).cycles;
  assert_int_equal((more - less) % 50, 0);
  return (more - less) / 50;
}

static void test_a_hit_takes_the_latency_of_the_machine(void **state) {
  (void)state;
  uint64_t at_20 = cycles_a_load("sm.count=1 const.latency=20", 0);
  assert_int_equal(cycles_a_load("sm.count=1 const.latency=57", 0) - at_20, 37);
  /* the last of k words comes k - 1 cycles later */
  for (uint32_t k = 2; k <= 16; k *= 2)
    assert_int_equal(cycles_a_load("sm.count=1 const.latency=20", k - 1) - at_20, k - 1);
}

static void test_without_a_constant_cache_every_load_misses(void **state) {
  (void)state;
  struct sm_counters c = run_constant("sm.count=1 const.bytes=0", 1, 31, 5);
  assert_int_equal(c.const_hits, 0);
  assert_int_equal(c.const_misses, 5 * 2);
}

static void test_a_new_launch_sees_what_the_host_wrote(void **state) {
  (void)state;
  struct fixture f;
  uint32_t *out;
  fixture_start(&f, "sm.count=1", constant_kernel);
  struct constant_params p = {.out = fixture_words(&f, 32, &out), .mask = 31, .n = 1};
  for (uint32_t launch = 0; launch < 3; launch++) {
    fill_table(&f, launch);
    fixture_run(&f, 1, 32, &p);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(out[i], word(i) + launch);
    assert_int_equal(fixture_counters(&f).const_misses, 2 * (launch + 1)); /* read again, not kept */
  }
  fixture_end(&f);
}

static void test_skipping_changes_no_count_of_constant_loads(void **state) {
  (void)state;
  static const char *const settings[] = {NULL, "const.mshrs=1 const.mshr_merges=1 lsu.queue=1",
                                         "const.bytes=0 noc.queue=1",
                                         "const.latency=100 const.lanes=8 clock.l2_khz=350000"};
  for (uint32_t s = 0; s < sizeof settings / sizeof *settings; s++) {
    struct sm_counters sum[2];
    for (uint32_t skip = 0; skip < 2; skip++) {
      struct fixture f;
      uint32_t *out;
      fixture_config(&f, settings[s]);
      f.setup.skip = skip;
      fixture_load(&f, constant_kernel);
      fill_table(&f, 0);
      struct constant_params p = {.out = fixture_words(&f, 40 * 128, &out), .mask = 1023, .n = 3};
      fixture_run(&f, 40, 128, &p);
      sum[skip] = fixture_counters(&f);
      fixture_end(&f);
    }
    assert_memory_equal(&sum[0], &sum[1], sizeof sum[0]);
    assert_true(sum[0].const_misses > 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_broadcast_costs_one_port_cycle_and_k_words_cost_k),
    cmocka_unit_test(test_half_warps_take_the_port_one_after_the_other),
    cmocka_unit_test(test_a_hit_takes_the_latency_of_the_machine),
    cmocka_unit_test(test_without_a_constant_cache_every_load_misses),
    cmocka_unit_test(test_a_new_launch_sees_what_the_host_wrote),
    cmocka_unit_test(test_skipping_changes_no_count_of_constant_loads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
