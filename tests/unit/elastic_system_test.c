/* SPDX-License-Identifier: Apache-2.0 */
/* slice: elastic */
/* Does bank-conflict-aware scheduling keep its distances on a whole GPU, and does it learn and forget when it must?
 * (Gou & Gaydadjiev 2011, section 4.) */
#include "kit/c_blocks.h"
#include "kit/gpu_kernels.h"
#include "systems/d2ma/d2ma.h"
#include "systems/elastic/elastic.h"
#include "systems/elastic/tables.h"

#define MACHINE(kind) \
  "sm.simd_width=8 sm.scheduler=rr shared.banks=8 lsu.queue=32 sm.warps=32 sm.threads=1024 sm.pipeline=" kind " "
enum { SUBWARPS = 4 };

static struct c_blocks blocks = C_BLOCKS(true);

static void start(struct fixture *f, const char *settings, const char *more, const struct system_ops *system,
                  const char *ptx) {
  char all[512];
  snprintf(all, sizeof all, "%s%s", settings, more);
  fixture_config(f, all);
  config_check(&f->setup.config);
  f->setup.factory = &blocks.factory;
  f->setup.system = system;
  fixture_load(f, ptx);
}

/* Loads of a word whose bank is (lane * p1) % banks, p2 times, beside others that no bank knows; then a store. */
static const char stride_kernel[] =
  KERNEL(".param .u64 p0, .param .u32 p1, .param .u32 p2",
         ".shared .align 4 .b8 tile[8192]; ld.param.u32 %r10, [p1]; ld.param.u32 %r11, [p2]; and.b32 %r12, %r4, 31;\n"
         "mul.lo.u32 %r12, %r12, %r10; shl.b32 %r12, %r12, 2; mov.u32 %r13, tile; add.u32 %r13, %r13, %r12;\n"
         "mov.u32 %r14, 0; mov.u32 %r16, 0;\n"
         "LOOP: ld.shared.u32 %r15, [%r13]; add.u32 %r14, %r14, %r15; add.u32 %r16, %r16, 1;\n"
         "add.u32 %r17, %r16, 5; st.shared.u32 [%r13], %r17; setp.lt.u32 %p1, %r16, %r11; @%p1 bra LOOP;\n"
         "st.global.u32 [%rd1], %r14; ret;\n");

static struct sm_counters run_stride(const char *config, const char *more, const struct system_ops *system,
                                     uint32_t warps, uint32_t stride, uint32_t times, uint32_t launches) {
  struct fixture f;
  uint32_t *out;
  start(&f, config, more, system, stride_kernel);
  struct {
    uint64_t p0;
    uint32_t p1, p2;
  } params = {fixture_words(&f, 4096, &out), stride, times};
  for (uint32_t i = 0; i < launches; i++) fixture_run(&f, 1, warps * 32, &params);
  struct sm_counters c = fixture_counters(&f);
  uint64_t classes = elastic_counters(&c)->stall_sched_masked + elastic_counters(&c)->stall_sched_empty +
                     elastic_counters(&c)->stall_bank_conflict + elastic_counters(&c)->stall_writeback;
  assert_int_equal(c.issue_cycles, SUBWARPS * c.warp_instructions);
  assert_int_equal(c.issue_cycles + classes + c.stall_structural, c.cycles);
  fixture_end(&f);
  return c;
}

static const uint32_t strides[] = {1, 2, 4, 8}; /* with 8 banks: the degree */

/* The law of the distance: with a prediction that is right nothing is ever held by a conflict. */
static void test_constant_conflicts_hold_nothing_when_distances_are_kept(void **state) {
  (void)state;
  static const char *const policies[] = {"sm.scheduler=rr", "sm.scheduler=gto"};
  for (uint32_t p = 0; p < 2; p++)
    for (uint32_t i = 0; i < 4; i++)
      for (uint32_t warps = 1; warps <= 32; warps += warps < 4 ? 1 : 7) {
        uint32_t degree = strides[i];
        char more[128];
        snprintf(more, sizeof more, "%s elastic.prediction=oracle", policies[p]);
        struct sm_counters c = run_stride(MACHINE("elastic"), more, &elastic_system, warps, degree, 12, 1);
        assert_int_equal(elastic_counters(&c)->shared_degrees, elastic_counters(&c)->shared_subwarps * degree);
        assert_int_equal(elastic_counters(&c)->stall_bank_conflict, 0);
        assert_int_equal(elastic_counters(&c)->stall_writeback, 0); /* no loads: no returns */
        if (degree == 1) assert_int_equal(elastic_counters(&c)->stall_sched_masked, 0);
      }
}

/* Equations 2 and 3: queues one entry shorter hold the front end though the distances are kept. */
static void test_shorter_queues_than_the_paper_says_do_not_do(void **state) {
  (void)state;
  static const char *const shorter[] = {"elastic.prediction=oracle barrel.premem=2",
                                        "elastic.prediction=oracle barrel.nonmem=3"};
  for (uint32_t i = 0; i < 2; i++) {
    struct sm_counters c = run_stride(MACHINE("elastic"), shorter[i], &elastic_system, 16, 8, 12, 1);
    assert_true(elastic_counters(&c)->stall_bank_conflict > 0);
  }
}

/* From history: what it has seen once it knows, and held is only what came before. */
static void test_history_errs_only_until_it_has_seen_an_instruction(void **state) {
  (void)state;
  for (uint32_t i = 1; i < 4; i++) {
    uint32_t degree = strides[i];
    struct sm_counters few = run_stride(MACHINE("elastic"), "", &elastic_system, 16, degree, 20, 1);
    struct sm_counters many = run_stride(MACHINE("elastic"), "", &elastic_system, 16, degree, 200, 1);
    assert_true(many.shared_accesses > 9 * few.shared_accesses);
    assert_int_equal(elastic_counters(&few)->stall_bank_conflict, elastic_counters(&many)->stall_bank_conflict);
    assert_int_equal(elastic_counters(&few)->history_low, elastic_counters(&many)->history_low);
    assert_int_equal(elastic_counters(&few)->history_misses, elastic_counters(&many)->history_misses);
    assert_int_equal(elastic_counters(&few)->history_low,
                     elastic_counters(&few)->history_misses); /* a miss predicts no conflict */
    assert_true(elastic_counters(&few)->history_misses >= 2 &&
                elastic_counters(&few)->history_misses <= 2 * 16); /* two instructions; each warp once at most */
    assert_int_equal(elastic_counters(&many)->history_high, 0);
    assert_int_equal(elastic_counters(&many)->history_evictions, 0);
    assert_int_equal(elastic_counters(&many)->history_lookups, many.shared_accesses);
    struct sm_counters unaware = run_stride(MACHINE("elastic"), "", NULL, 16, degree, 200, 1);
    assert_true(elastic_counters(&unaware)->stall_bank_conflict > 10 * elastic_counters(&many)->stall_bank_conflict);
    assert_true(many.cycles < unaware.cycles + unaware.cycles / 50);
  }
}

static void test_conflict_free_kernels_are_scheduled_as_without(void **state) {
  (void)state;
  struct sm_counters with = run_stride(MACHINE("elastic"), "", &elastic_system, 16, 1, 50, 1);
  struct sm_counters without = run_stride(MACHINE("elastic"), "", NULL, 16, 1, 50, 1);
  assert_int_equal(with.cycles, without.cycles);
  assert_int_equal(elastic_counters(&with)->stall_sched_masked, 0);
  assert_int_equal(elastic_counters(&with)->history_low + elastic_counters(&with)->history_high, 0);
}

static void test_a_launch_forgets_what_was_measured(void **state) {
  (void)state;
  struct sm_counters once = run_stride(MACHINE("elastic"), "", &elastic_system, 8, 4, 20, 1);
  struct sm_counters thrice = run_stride(MACHINE("elastic"), "", &elastic_system, 8, 4, 20, 3);
  assert_int_equal(elastic_counters(&thrice)->history_misses, 3 * elastic_counters(&once)->history_misses);
  assert_int_equal(elastic_counters(&thrice)->stall_bank_conflict, 3 * elastic_counters(&once)->stall_bank_conflict);
  assert_int_equal(elastic_counters(&thrice)->history_evictions, 0);
}

static void test_a_small_history_cache_forgets(void **state) {
  (void)state;
  /* the two instructions, four apart, meet in a set of one way */
  struct sm_counters c = run_stride(MACHINE("elastic"), "elastic.sets=2 elastic.ways=1", &elastic_system, 4, 4, 100, 1);
  assert_true(elastic_counters(&c)->history_evictions > 50);
  assert_true(elastic_counters(&c)->history_low > 50);
}

static void test_in_variant_f_a_memory_warp_goes_when_no_other_can(void **state) {
  (void)state;
  struct sm_counters published = run_stride(MACHINE("elastic"), "", &elastic_system, 8, 8, 50, 1);
  struct sm_counters f = run_stride(MACHINE("elastic"), "elastic.violate=1", &elastic_system, 8, 8, 50, 1);
  assert_true(elastic_counters(&published)->stall_sched_masked > 0);
  assert_int_equal(elastic_counters(&f)->stall_sched_masked, 0);
  assert_true(elastic_counters(&f)->stall_bank_conflict >
              elastic_counters(&published)->stall_bank_conflict); /* traded for sched_fail */
}

static void test_scheduling_alone_does_not_help_a_unified_pipeline(void **state) {
  (void)state;
  struct sm_counters a = run_stride(MACHINE("unified"), "", NULL, 16, 4, 50, 1);
  struct sm_counters g = run_stride(MACHINE("unified"), "", &elastic_system, 16, 4, 50, 1);
  struct sm_counters c = run_stride(MACHINE("elastic"), "", &elastic_system, 16, 4, 50, 1);
  assert_true(g.cycles * 100 >= a.cycles * 98);
  assert_true(c.cycles * 100 < a.cycles * 95);
}

static void test_kernels_compute_the_same(void **state) {
  (void)state;
  static uint32_t expected[CASE_WORDS];
  for (uint32_t i = 0; i < N_KERNEL_CASES; i++)
    for (uint32_t with = 0; with < 2; with++) {
      struct fixture f;
      uint32_t *in, *out, *words;
      start(&f, with ? MACHINE("elastic") : "sm.pipeline=scoreboard", "", with ? &elastic_system : NULL,
            kernel_cases[i].ptx);
      run_case(&f, &kernel_cases[i], &in, &out);
      words = strstr(kernel_cases[i].ptx, "p1") ? out : in;
      if (with) assert_memory_equal(words, expected, sizeof expected);
      else memcpy(expected, words, sizeof expected);
      fixture_end(&f);
    }
}

static void refuse(const char *settings, const struct system_ops *system, const char *why) {
  struct fixture f;
  fixture_config(&f, settings);
  f.setup.factory = &blocks.factory;
  f.setup.system = system;
  assert_null(gpu_create(&f.setup, &f.memory, &f.e));
  if (f.e.code != ERR_VALUE || !strstr(f.e.text, why)) fail_msg("code %d, \"%s\"", (int)f.e.code, f.e.text);
  device_memory_destroy(&f.memory);
}

static void test_a_system_and_a_pipeline_that_do_not_fit_are_refused(void **state) {
  (void)state;
  refuse("sm.pipeline=scoreboard", &elastic_system, "set sm.pipeline to unified, split or elastic");
  refuse(MACHINE("elastic"), &d2ma_system, "is for sm.pipeline=scoreboard");
  refuse("sm.pipeline=elastic sm.simd_width=32", &elastic_system, "sm.simd_width = 32");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_constant_conflicts_hold_nothing_when_distances_are_kept),
    cmocka_unit_test(test_shorter_queues_than_the_paper_says_do_not_do),
    cmocka_unit_test(test_history_errs_only_until_it_has_seen_an_instruction),
    cmocka_unit_test(test_conflict_free_kernels_are_scheduled_as_without),
    cmocka_unit_test(test_a_launch_forgets_what_was_measured),
    cmocka_unit_test(test_a_small_history_cache_forgets),
    cmocka_unit_test(test_in_variant_f_a_memory_warp_goes_when_no_other_can),
    cmocka_unit_test(test_scheduling_alone_does_not_help_a_unified_pipeline),
    cmocka_unit_test(test_kernels_compute_the_same),
    cmocka_unit_test(test_a_system_and_a_pipeline_that_do_not_fit_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
