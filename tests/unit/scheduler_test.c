/* SPDX-License-Identifier: Apache-2.0 */
/* In which order do the policies issue warps? */
#include "kit/gpu_kernels.h"

#include "core/sm_state.h"

enum { READS = CLOCK_READS };

/* clocks[warp][read], relative to the first */
static void read_clocks(const char *settings, uint32_t warps, uint32_t clocks[][READS]) {
  struct fixture f;
  uint32_t *out, first = UINT32_MAX;
  fixture_start(&f, settings, CLOCK_KERNEL);
  uint64_t params[1] = {fixture_words(&f, 1024, &out)};
  fixture_run(&f, 1, warps * 32, params);
  for (uint32_t i = 0; i < warps * READS; i++)
    if (out[i] < first) first = out[i];
  for (uint32_t w = 0; w < warps; w++)
    for (uint32_t i = 0; i < READS; i++) clocks[w][i] = out[w * READS + i] - first;
  fixture_end(&f);
}

static void test_round_robin_takes_turns(void **state) {
  (void)state;
  uint32_t clocks[4][READS];
  read_clocks("sm.scheduler=rr sm.latency.int=1", 4, clocks);
  for (uint32_t w = 0; w < 4; w++)
    for (uint32_t i = 1; i < READS; i++) assert_int_equal(clocks[w][i] - clocks[w][i - 1], 4);
}

static void test_greedy_stays_with_a_warp_and_then_takes_the_oldest(void **state) {
  (void)state;
  uint32_t clocks[4][READS];
  read_clocks("sm.scheduler=gto sm.latency.int=1", 4, clocks);
  for (uint32_t w = 0; w < 4; w++) {
    for (uint32_t i = 1; i < READS; i++) assert_int_equal(clocks[w][i] - clocks[w][i - 1], 1);
    if (w) assert_true(clocks[w][0] > clocks[w - 1][READS - 1]);
  }
}

/* Slots 2, 0, 1 started in this order; the policy alone. */
static void test_the_oldest_is_of_the_cta_that_started_first(void **state) {
  (void)state;
  struct sm *sm = calloc(1, sizeof *sm);
  assert_non_null(sm);
  const uint8_t age[] = {2, 0, 1};
  memcpy(sm->age, age, sizeof age);
  sm->n_ctas = 3;
  for (uint32_t slot = 0; slot < 3; slot++) sm->slots[slot] = UINT64_C(0xf) << 4 * slot;
  sm->scheduler[0].last = 5;
  const struct sm_policy *gto = &sm_policies[SCHEDULER_GTO], *rr = &sm_policies[SCHEDULER_RR];
  assert_int_equal(gto->pick(sm, 0, UINT64_C(0xfff)), 5); /* greedy, although younger */
  assert_int_equal(gto->pick(sm, 0, UINT64_C(0xf0f)), 8); /* slot 2 first */
  assert_int_equal(gto->pick(sm, 0, UINT64_C(0x0ce)), 1); /* then slot 0 */
  assert_int_equal(rr->pick(sm, 0, UINT64_C(0xfff)), 6);
  assert_int_equal(rr->pick(sm, 0, UINT64_C(0x03f)), 0); /* round */
  sm->scheduler[0].last = 63;
  assert_int_equal(rr->pick(sm, 0, UINT64_C(1) << 63 | 4), 2);
  free(sm);
}

static void test_each_scheduler_issues_its_own_warps(void **state) {
  (void)state;
  uint32_t clocks[4][READS];
  read_clocks("sm.scheduler=rr sm.schedulers=2 sm.latency.int=1", 4, clocks);
  for (uint32_t w = 0; w < 4; w++)
    for (uint32_t i = 1; i < READS; i++) assert_int_equal(clocks[w][i] - clocks[w][i - 1], 2);
  assert_int_equal(clocks[0][0], clocks[1][0]); /* even and odd warps in the same cycle */
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_round_robin_takes_turns),
    cmocka_unit_test(test_greedy_stays_with_a_warp_and_then_takes_the_oldest),
    cmocka_unit_test(test_the_oldest_is_of_the_cta_that_started_first),
    cmocka_unit_test(test_each_scheduler_issues_its_own_warps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
