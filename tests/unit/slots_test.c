/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* What becomes of each scheduler's issue slots: the counters slots_*. */
#include "kit/gpu_kernels.h"

static uint64_t slots_of(const struct sm_counters *c) {
  return c->slots_active + c->slots_memory + c->slots_compute + c->slots_dependence + c->slots_idle;
}

static void test_a_slot_is_a_schedulers_cycle_and_has_one_use(void **state) {
  (void)state;
  static const struct {
    const char *settings;
    uint32_t schedulers;
  } cases[] = {{"sm.schedulers=1", 1},
               {"sm.scheduler=rr sm.schedulers=2", 2},
               {"sm.simd_width=8 sm.schedulers=4 l1.bytes=0", 4},
               {"sm.fetch=buffered sm.schedulers=2", 2},
               {"sm.schedulers=2 l1.mshrs=2 l1.mshr_merges=2 lsu.queue=1 sm.latency.int=100", 2}};
  for (uint32_t s = 0; s < sizeof cases / sizeof cases[0]; s++) {
    for (uint32_t k = 0; k < N_KERNEL_CASES; k++) {
      struct sm_counters total[2];
      for (uint32_t skip = 0; skip < 2; skip++) {
        struct fixture f;
        uint32_t *in, *out;
        fixture_config(&f, cases[s].settings);
        f.setup.skip = skip;
        fixture_load(&f, kernel_cases[k].ptx);
        run_case(&f, &kernel_cases[k], &in, &out);
        for (uint32_t i = 0; i < gpu_sm_count(f.gpu); i++) {
          const struct sm_counters *c = gpu_sm_counters(f.gpu, i);
          assert_int_equal(slots_of(c), c->cycles * cases[s].schedulers);
          assert_in_range(c->slots_active, c->issue_cycles, c->issue_cycles * cases[s].schedulers);
          assert_true(c->slots_memory + c->slots_compute >= c->stall_structural);
        }
        total[skip] = fixture_counters(&f);
        fixture_end(&f);
      }
      assert_memory_equal(&total[0], &total[1], sizeof total[0]); /* skipped cycles count as those that are executed */
    }
  }
}

/* Slots of one warp that does `body`, beyond those of a warp that does nothing else. */
static struct sm_counters beyond(const char *settings, const char *body) {
  struct sm_counters c[2];
  for (uint32_t i = 0; i < 2; i++) {
    struct fixture f;
    char text[4096];
    uint32_t *words;
    snprintf(text, sizeof text, "%s%sret;\n}\n",
             KERNEL_BEGIN(".param .u64 p0",
                          ".shared .align 4 .b8 tile[4096];\nmov.u32 %r20, tile; shl.b32 %r21, %r4, 7;\n"
                          "add.u32 %r20, %r20, %r21; mov.f32 %f1, 0f3F800000; mov.f32 %f2, %f1;\n"),
             i ? body : "");
    fixture_config(&f, "sm.count=1 sm.schedulers=1");
    config_set_text(&f.setup.config, settings);
    fixture_load(&f, text);
    uint64_t params[1] = {fixture_words(&f, 256, &words)};
    fixture_run(&f, 1, 32, params);
    c[i] = fixture_counters(&f);
    fixture_end(&f);
  }
  const uint64_t *without = (const uint64_t *)&c[0];
  struct sm_counters d = c[1];
  for (uint32_t i = 0; i < counter_table(COUNTERS_SM).n; i++) ((uint64_t *)&d)[i] -= without[i];
  return d;
}

static void test_a_result_that_is_waited_for_is_a_dependence(void **state) {
  (void)state;
  struct sm_counters c = beyond("sm.latency.sfu=60", "sqrt.approx.f32 %f4, %f1; add.f32 %f5, %f4, %f4;\n");
  assert_int_equal(c.slots_active, 2);
  assert_int_equal(c.slots_dependence, 59);
  assert_int_equal(c.slots_memory + c.slots_compute + c.slots_idle, 0);
  c = beyond("shared.latency=50", "ld.shared.u32 %r22, [%r20]; add.u32 %r23, %r22, 1;\n");
  assert_true(c.slots_dependence > 50);
  assert_int_equal(c.slots_memory + c.slots_compute + c.slots_idle, 0);
}

/* Three square roots that do not need each other: the second and the third wait for the unit. */
static void test_a_busy_unit_is_a_compute_stall(void **state) {
  (void)state;
  struct sm_counters c = beyond("sm.interval.sfu=20 sm.latency.sfu=1",
                                "sqrt.approx.f32 %f4, %f1; sqrt.approx.f32 %f5, %f1; sqrt.approx.f32 %f6, %f1;\n");
  assert_int_equal(c.slots_active, 3);
  assert_int_equal(c.slots_compute, 2 * 19);
  assert_int_equal(c.slots_memory + c.slots_dependence + c.slots_idle, 0);
}

/* Loads with 32 conflicts each: while the port serves one, and the queue holds one, the others cannot enter. */
static void test_a_full_queue_is_a_memory_stall(void **state) {
  (void)state;
  struct sm_counters c =
    beyond("lsu.queue=1", "ld.shared.u32 %r22, [%r20]; ld.shared.u32 %r23, [%r20]; ld.shared.u32 %r24, [%r20];\n");
  assert_int_equal(c.slots_active, 3);
  assert_in_range(c.slots_memory, 2 * 31, 2 * 33);
  assert_int_equal(c.slots_compute, 0);
}

static void test_a_jump_leaves_slots_idle(void **state) {
  (void)state;
  struct sm_counters c = beyond("sm.latency.branch=30", "bra NEXT;\nNEXT:\n");
  assert_int_equal(c.slots_active, 1);
  assert_int_equal(c.slots_idle, 29);
  assert_int_equal(c.slots_memory + c.slots_compute + c.slots_dependence, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_slot_is_a_schedulers_cycle_and_has_one_use),
    cmocka_unit_test(test_a_result_that_is_waited_for_is_a_dependence),
    cmocka_unit_test(test_a_busy_unit_is_a_compute_stall),
    cmocka_unit_test(test_a_full_queue_is_a_memory_stall),
    cmocka_unit_test(test_a_jump_leaves_slots_idle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
