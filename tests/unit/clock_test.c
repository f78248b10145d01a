/* SPDX-License-Identifier: Apache-2.0 */
/* Do clock domains keep their exact ratios? */
#include "base/clock.h"
#include "base/rng.h"
#include "kit/test.h"

enum { SEED = 0xc10c };

/* Executes the edges before `end` one by one. */
static void step_until(struct clocks *c, uint64_t end) {
  for (int d = 0; d < CLOCK_DOMAINS; d++)
    while (c->next[d] < end) {
      c->next[d] += c->period[d];
      c->cycle[d]++;
    }
}

static void test_a_second_has_as_many_edges_as_the_frequency_says(void **unused) {
  (void)unused;
  static const uint64_t khz[][CLOCK_DOMAINS] = {
    {700000, 700000, 700000, 700000}, {600000, 700000, 350000, 924000}, {1, 3, 7, 9973}, {140001, 2, 991, 924000}};
  for (size_t i = 0; i < sizeof khz / sizeof *khz; i++) {
    struct clocks c;
    clocks_start(&c, khz[i]);
    for (int d = 0; d < CLOCK_DOMAINS; d++) {
      assert_int_equal(c.next[d], 0);
      assert_int_equal(c.tick_hz % c.period[d], 0);
      assert_int_equal(clocks_skip_until(&c, (enum clock_domain)d, c.tick_hz), khz[i][d] * 1000);
      assert_int_equal(c.next[d], c.tick_hz); /* all domains meet again after a second */
    }
  }
}

static void test_the_tick_is_the_least_common_one(void **unused) {
  (void)unused;
  struct clocks c;
  clocks_start(&c, (uint64_t[]){600000, 700000, 350000, 924000});
  assert_int_equal(c.tick_hz, UINT64_C(46200000000)); /* lcm(600, 700, 350, 924) = 46200 */
  assert_int_equal(c.period[CLOCK_CORE], 77);
  assert_int_equal(c.period[CLOCK_NOC], 66);
  assert_int_equal(c.period[CLOCK_L2], 132);
  assert_int_equal(c.period[CLOCK_DRAM], 50);
  clocks_start(&c, (uint64_t[]){700000, 700000, 700000, 700000});
  for (int d = 0; d < CLOCK_DOMAINS; d++) assert_int_equal(c.period[d], 1);
}

static void test_skipping_counts_the_edges_that_stepping_executes(void **unused) {
  (void)unused;
  struct rng r;
  rng_seed(&r, SEED);
  print_message("seed 0x%x\n", SEED);
  for (int round = 0; round < 200; round++) {
    uint64_t khz[CLOCK_DOMAINS];
    for (int d = 0; d < CLOCK_DOMAINS; d++) khz[d] = 1 + rng_below(&r, 40);
    struct clocks stepped, skipped;
    clocks_start(&stepped, khz);
    clocks_start(&skipped, khz);
    uint64_t tick = 0;
    for (int jump = 0; jump < 20; jump++) {
      tick += rng_below(&r, 3000);
      step_until(&stepped, tick);
      for (int d = 0; d < CLOCK_DOMAINS; d++) {
        uint64_t before = skipped.cycle[d];
        uint64_t edges = clocks_skip_until(&skipped, (enum clock_domain)d, tick);
        assert_int_equal(skipped.cycle[d], before + edges);
        assert_int_equal(skipped.cycle[d], stepped.cycle[d]);
        assert_int_equal(skipped.next[d], stepped.next[d]);
        assert_true(skipped.next[d] >= tick);
      }
    }
  }
}

static void test_an_edge_at_the_tick_itself_is_not_skipped(void **unused) {
  (void)unused;
  struct clocks c;
  clocks_start(&c, (uint64_t[]){10, 5, 2, 1});
  assert_int_equal(clocks_skip_until(&c, CLOCK_CORE, 0), 0);
  assert_int_equal(clocks_skip_until(&c, CLOCK_NOC, 2), 1);
  assert_int_equal(c.next[CLOCK_NOC], 2);
  assert_int_equal(clocks_skip_until(&c, CLOCK_NOC, 1), 0); /* never backwards */
  assert_int_equal(c.next[CLOCK_NOC], 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_second_has_as_many_edges_as_the_frequency_says),
    cmocka_unit_test(test_the_tick_is_the_least_common_one),
    cmocka_unit_test(test_skipping_counts_the_edges_that_stepping_executes),
    cmocka_unit_test(test_an_edge_at_the_tick_itself_is_not_skipped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
