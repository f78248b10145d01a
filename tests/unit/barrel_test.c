/* SPDX-License-Identifier: Apache-2.0 */
/* slice: elastic */
/* Does an instruction take as many cycles as its barrel has stages, and is every cycle an issue or a stall with one cause?
 * Stage counts are those of Gou & Gaydadjiev 2011, table 3: 24 stages, 4 of them memory, 4 subwarps a warp. */
#include "kit/c_blocks.h"
#include "kit/gpu_kernels.h"
#include "systems/elastic/tables.h"

enum { STAGES = 24, MEM_STAGES = 4, SUBWARPS = 4 };
#define BARREL(kind) \
  "sm.pipeline=" kind " sm.simd_width=8 sm.scheduler=rr shared.banks=8 lsu.queue=32 sm.warps=32 sm.threads=1024 "
static const char *const pipelines[] = {BARREL("unified"), BARREL("split"), BARREL("elastic")};
enum { PIPELINES = 3 };

static struct c_blocks blocks = C_BLOCKS(true);

static void start(struct fixture *f, const char *settings, const char *more, const char *ptx, bool skip) {
  char all[512];
  snprintf(all, sizeof all, "%s%s", settings, more);
  fixture_config(f, all);
  config_check(&f->setup.config);
  blocks.skip = f->setup.skip = skip;
  f->setup.factory = &blocks.factory;
  fixture_load(f, ptx);
}

static void assert_every_cycle_has_its_class(const struct sm_counters *c) {
  uint64_t classes = elastic_counters(c)->stall_sched_masked + elastic_counters(c)->stall_sched_empty +
                     elastic_counters(c)->stall_bank_conflict + elastic_counters(c)->stall_writeback +
                     c->stall_structural;
  assert_int_equal(c->issue_cycles, SUBWARPS * c->warp_instructions);
  assert_int_equal(c->issue_cycles + classes, c->cycles);
  assert_int_equal(c->stall_memory + c->stall_shared + c->stall_dma + c->stall_barrier + c->stall_data, 0);
}

/* ---- stages ---- */

/* Each warp reads the clock four times in a row. */
static const char clock_kernel[] =
  KERNEL(".param .u64 p0", "mov.u32 %r10, %clock; mov.u32 %r11, %clock; mov.u32 %r12, %clock; mov.u32 %r13, %clock;\n"
                           "shr.u32 %r20, %r4, 5; mul.wide.u32 %rd10, %r20, 16; add.s64 %rd11, %rd2, %rd10;\n"
                           "st.global.v4.u32 [%rd11], {%r10, %r11, %r12, %r13}; ret;\n");

static uint32_t cycles_between_reads(const char *pipeline, const char *more, uint32_t warps) {
  struct fixture f;
  uint32_t *out;
  start(&f, pipeline, more, clock_kernel, true);
  uint64_t params[1] = {fixture_words(&f, 256, &out)};
  fixture_run(&f, 1, warps * 32, params);
  uint32_t cycles = out[1] - out[0];
  for (uint32_t i = 1; i < 4; i++) assert_int_equal(out[i] - out[i - 1], cycles);
  fixture_end(&f);
  return cycles;
}

static void test_a_warp_issues_again_when_its_last_subwarp_has_been_written_back(void **state) {
  (void)state;
  assert_int_equal(cycles_between_reads(pipelines[0], "", 1), STAGES + SUBWARPS - 1);
  assert_int_equal(cycles_between_reads(pipelines[1], "", 1), STAGES + SUBWARPS - 1);
  assert_int_equal(cycles_between_reads(pipelines[2], "", 1), STAGES - MEM_STAGES + SUBWARPS - 1); /* past memory */
  assert_int_equal(cycles_between_reads(pipelines[0], "barrel.stages=30", 1), 30 + SUBWARPS - 1);
  assert_int_equal(cycles_between_reads(pipelines[0], "sm.simd_width=16", 1), STAGES + 1);
}

static void test_enough_warps_fill_every_slot(void **state) {
  (void)state;
  for (uint32_t p = 0; p < PIPELINES; p++)
    assert_int_equal(cycles_between_reads(pipelines[p], "", 8), 8 * SUBWARPS); /* round robin: every eighth turn */
}

/* ---- conflicts ---- */

/* Loads a word whose bank is (lane * p1) % banks, p2 times, without other memory accesses; then stores the sum. */
static const char stride_kernel[] =
  KERNEL(".param .u64 p0, .param .u32 p1, .param .u32 p2",
         ".shared .align 4 .b8 tile[8192]; ld.param.u32 %r10, [p1]; ld.param.u32 %r11, [p2]; and.b32 %r12, %r4, 31;\n"
         "mul.lo.u32 %r12, %r12, %r10; shl.b32 %r12, %r12, 2; mov.u32 %r13, tile; add.u32 %r13, %r13, %r12;\n"
         "mov.u32 %r14, 0; mov.u32 %r16, 0;\n"
         "LOOP: ld.shared.u32 %r15, [%r13]; add.u32 %r14, %r14, %r15; xor.b32 %r17, %r14, %r16;\n"
         "add.u32 %r16, %r16, 1; add.u32 %r18, %r17, %r16; xor.b32 %r17, %r18, %r14; add.u32 %r18, %r17, 3;\n"
         "setp.lt.u32 %p1, %r16, %r11; @%p1 bra LOOP;\n"
         "st.global.u32 [%rd1], %r14; ret;\n");

static struct sm_counters run_stride(const char *pipeline, const char *more, uint32_t warps, uint32_t stride,
                                     uint32_t times) {
  struct fixture f;
  uint32_t *out;
  start(&f, pipeline, more, stride_kernel, true);
  struct {
    uint64_t p0;
    uint32_t p1, p2;
  } params = {fixture_words(&f, 1024, &out), stride, times};
  fixture_run(&f, 1, warps * 32, &params);
  struct sm_counters c = fixture_counters(&f);
  assert_every_cycle_has_its_class(&c);
  fixture_end(&f);
  return c;
}

static void test_one_warp_with_conflicts_holds_a_unified_pipeline_and_no_elastic_one(void **state) {
  (void)state;
  static const uint32_t strides[][2] = {{1, 1}, {2, 2}, {4, 4}, {8, 8}, {0, 1}}; /* stride, degree */
  for (uint32_t i = 0; i < 5; i++) {
    uint32_t degree = strides[i][1];
    struct sm_counters c = run_stride(pipelines[0], "", 1, strides[i][0], 10);
    assert_int_equal(c.shared_accesses, 10);
    assert_int_equal(elastic_counters(&c)->shared_subwarps, 10 * SUBWARPS);
    assert_int_equal(elastic_counters(&c)->shared_degrees, 10 * SUBWARPS * degree);
    /* the first subwarp holds the second for degree - 1 cycles, and so on; nothing is behind the last */
    assert_int_equal(elastic_counters(&c)->stall_bank_conflict, 10 * (SUBWARPS - 1) * (degree - 1));
    c = run_stride(pipelines[2], "", 1, strides[i][0], 10);
    assert_int_equal(elastic_counters(&c)->stall_bank_conflict, 0); /* they wait in PREMEM */
    assert_int_equal(elastic_counters(&c)->premem_peak, degree > 2 ? 3
                                                        : degree > 1
                                                          ? 2
                                                          : 0); /* degree 2: one has gone when the last comes */
    c = run_stride(pipelines[2], "barrel.premem=1", 1, strides[i][0], 10);
    assert_int_equal(elastic_counters(&c)->stall_bank_conflict > 0, degree > 1);
  }
  struct sm_counters literal = run_stride(pipelines[0], "barrel.degree=literal", 1, 0, 1);
  assert_int_equal(elastic_counters(&literal)->shared_degrees, SUBWARPS * 8);
  struct sm_counters two_ports = run_stride(pipelines[0], "barrel.ports=2", 1, 8, 10);
  assert_int_equal(elastic_counters(&two_ports)->stall_bank_conflict, 10 * 3 * 3);
}

static void test_conflicts_of_many_warps_cost_an_elastic_pipeline_less(void **state) {
  (void)state;
  uint64_t cycles[PIPELINES];
  for (uint32_t p = 0; p < PIPELINES; p++) cycles[p] = run_stride(pipelines[p], "", 16, 4, 20).cycles;
  assert_true(cycles[2] < cycles[0]);
}

/* ---- whole kernels ---- */

static void run_with(const char *pipeline, const struct kernel_case *c, bool skip, struct sm_counters *counters,
                     uint64_t *cycles, uint32_t *words) {
  struct fixture f;
  uint32_t *in, *out;
  start(&f, pipeline, "", c->ptx, skip);
  run_case(&f, c, &in, &out);
  *counters = fixture_counters(&f);
  *cycles = gpu_core_cycles(f.gpu);
  memcpy(words, in, CASE_WORDS * 4);
  memcpy(words + CASE_WORDS, out, CASE_WORDS * 4);
  fixture_end(&f);
}

static void test_kernels_compute_the_same_in_every_pipeline_with_and_without_skipping(void **state) {
  (void)state;
  static uint32_t words[2][2 * CASE_WORDS];
  struct sm_counters a, b;
  uint64_t cycles[2];
  for (uint32_t i = 0; i < N_KERNEL_CASES; i++) {
    run_with("sm.pipeline=scoreboard ", &kernel_cases[i], true, &a, &cycles[0], words[0]);
    for (uint32_t p = 0; p < PIPELINES; p++) {
      run_with(pipelines[p], &kernel_cases[i], true, &a, &cycles[0], words[1]);
      assert_memory_equal(words[0], words[1], sizeof words[0]);
      assert_every_cycle_has_its_class(&a);
      run_with(pipelines[p], &kernel_cases[i], false, &b, &cycles[1], words[1]);
      assert_memory_equal(&a, &b, sizeof a);
      assert_int_equal(cycles[0], cycles[1]);
    }
  }
}

/* A warp waits for a load even if nobody reads its result: it has one instruction in flight. */
static void test_a_warp_waits_for_its_load(void **state) {
  (void)state;
  static const char load_kernel[] =
    KERNEL(".param .u64 p0", "mov.u32 %r10, %clock; ld.global.u32 %r20, [%rd2+512]; mov.u32 %r11, %clock;\n"
                             "mov.u32 %r12, %clock; sub.u32 %r13, %r11, %r10; sub.u32 %r14, %r12, %r11;\n"
                             "st.global.v2.u32 [%rd2], {%r13, %r14}; ret;\n");
  struct fixture f;
  uint32_t *out;
  start(&f, pipelines[0], "l1.bytes=0", load_kernel, true);
  uint64_t params[1] = {fixture_words(&f, 1024, &out)};
  fixture_run(&f, 1, 32, params);
  assert_int_equal(out[1], STAGES + SUBWARPS - 1);
  assert_true(out[0] > out[1] + (uint32_t)f.setup.config.dram_latency);
  struct sm_counters c = fixture_counters(&f);
  assert_int_equal(elastic_counters(&c)->return_slots, 128 / 4 / 8); /* a line of 128 bytes, 8 words a cycle */
  fixture_end(&f);
}

static void test_a_fault_empties_the_pipeline(void **state) {
  (void)state;
  static const char fault_kernel[] =
    KERNEL(".param .u64 p0", "ld.shared.u32 %r14, [%r4+60000]; st.global.u32 [%rd1], %r14; ret;\n");
  for (uint32_t p = 0; p < PIPELINES; p++) {
    struct fixture f;
    uint32_t *out;
    start(&f, pipelines[p], "", fault_kernel, true);
    uint64_t params[1] = {fixture_words(&f, 1024, &out)};
    for (int i = 0; i < 3; i++) assert_int_equal(fixture_try(&f, 4, 256, params), ERR_FAULT);
    fixture_end(&f);
  }
}

static void test_what_no_barrel_can_be_is_refused_with_the_rule(void **state) {
  (void)state;
  static const char *const bad[][2] = {
    {"sm.simd_width=12", "sm.simd_width = 12: must divide the warp"},
    {"sm.schedulers=2", "sm.schedulers = 2: a barrel (sm.pipeline) has 1"},
    {"sm.fetch=buffered", "sm.fetch = buffered: a barrel (sm.pipeline) fetches in its own stages; set ideal"},
    {"barrel.stages=8 barrel.mem_stages=6", "barrel.stages = 8: must be at least 3 more than barrel.mem_stages = 6"},
    {"shared.banks=2", "shared.banks = 2: a barrel"},
    {"elastic.sets=48", "elastic.sets = 48: must be a power of two"},
    {"elastic.ways=3", "elastic.ways = 3: must be 1, 2 or 4"},
    {"elastic.sets=256 elastic.pc_bits=8", "elastic.sets = 256: must be below 2^elastic.pc_bits = 256"},
    {"elastic.degree_bits=4", "elastic.degree_bits = 4: a warp of 4 subwarps"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct fixture f;
    char all[512];
    snprintf(all, sizeof all, "%s%s", pipelines[2], bad[i][0]);
    fixture_config(&f, all);
    assert_int_equal(gpu_config_check(&f.setup.config, &f.e), ERR_VALUE);
    assert_non_null(strstr(f.e.text, bad[i][1]));
    device_memory_destroy(&f.memory);
  }
  struct gpu_config m;
  struct err e = {.code = ERR_NONE};
  gpu_config_defaults(&m);
  assert_int_equal(gpu_config_set(&m, "test", "barrel.ports=0", &e), ERR_VALUE);
  assert_non_null(strstr(e.text, "barrel.ports: 0 is outside 1..8 ports"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_warp_issues_again_when_its_last_subwarp_has_been_written_back),
    cmocka_unit_test(test_enough_warps_fill_every_slot),
    cmocka_unit_test(test_one_warp_with_conflicts_holds_a_unified_pipeline_and_no_elastic_one),
    cmocka_unit_test(test_conflicts_of_many_warps_cost_an_elastic_pipeline_less),
    cmocka_unit_test(test_kernels_compute_the_same_in_every_pipeline_with_and_without_skipping),
    cmocka_unit_test(test_a_warp_waits_for_its_load),
    cmocka_unit_test(test_a_fault_empties_the_pipeline),
    cmocka_unit_test(test_what_no_barrel_can_be_is_refused_with_the_rule),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
