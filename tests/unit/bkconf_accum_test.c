/* SPDX-License-Identifier: Apache-2.0 */
/* slice: elastic */
/* Is what goes into the history what the memory stage spent beyond the issue slots? Equations 4 and 5 of Gou &
 * Gaydadjiev 2011: the sum over the subwarps of ceil(cd / P), less one cycle a subwarp. */
#include "base/rng.h"
#include "bkconf_accum_ports.h"
#include "kit/block_bench.h"

enum { SEED = 0xacc, NONE = -1 };

BLOCK_BENCH(bkconf_accum);

static struct bkconf_accum_cfg sized(int32_t s, int32_t p) {
  return (struct bkconf_accum_cfg){.W = 32, .S = s, .P = p, .PCW = 14};
}

/* One cycle; cd < 0: no subwarp. Returns the update that stands, or NONE. */
static int cycle(struct bench *b, int cd, bool last, uint32_t pc, bool flush) {
  b->in = (struct bkconf_accum_in){.sub_valid = cd >= 0,
                                   .sub_cd = (uint8_t)(cd >= 0 ? cd : 5),
                                   .sub_last = last,
                                   .sub_pc = (uint16_t)pc,
                                   .flush = flush};
  const struct bkconf_accum_out *out = bench_cycle(b);
  assert_int_equal(out->busy, out->up_valid);
  if (!out->up_valid) return NONE;
  return (int)((uint32_t)out->up_pc << 8 | out->up_degree);
}

static int instruction(struct bench *b, uint32_t n, const int *cd, uint32_t pc) {
  for (uint32_t i = 0; i < n; i++) cycle(b, cd[i], i == n - 1, pc, false);
  return cycle(b, -1, false, 0, false);
}

static void test_the_stored_degree_is_the_sum_less_the_slots(void **unused) {
  (void)unused;
  static const int cd[4][4] = {{1, 1, 1, 1}, {2, 1, 3, 1}, {2, 2, 2, 2}, {8, 8, 8, 8}};
  static const int stored[] = {0, 3, 4, 28};
  struct bench b;
  bench_open(&b, sized(8, 1));
  for (uint32_t i = 0; i < 4; i++) assert_int_equal(instruction(&b, 4, cd[i], 77 + i), (int)(77 + i) << 8 | stored[i]);
  bench_close(&b);
}

static void test_gaps_and_neighbours_change_nothing(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, sized(8, 1));
  cycle(&b, 2, false, 5, false), cycle(&b, -1, true, 6, false), cycle(&b, 1, false, 5, false);
  cycle(&b, 3, false, 5, false), cycle(&b, -1, false, 0, false), cycle(&b, 1, true, 5, false);
  assert_int_equal(cycle(&b, 8, false, 9, false), 5 << 8 | 3); /* the next one begins in the cycle of the update */
  cycle(&b, 1, false, 9, false), cycle(&b, 1, false, 9, false), cycle(&b, 1, true, 9, false);
  assert_int_equal(cycle(&b, -1, false, 0, false), 9 << 8 | 7);
  bench_close(&b);
}

/* Two ports serve two accesses a cycle: degrees 1..8 take 1, 1, 2, 2, 3, 3, 4, 4 cycles. */
static void test_ports_divide_each_subwarp_and_not_the_sum(void **unused) {
  (void)unused;
  static const int odd[4] = {3, 3, 3, 3}, mixed[4] = {1, 8, 5, 2};
  struct bench b;
  bench_open(&b, sized(8, 2));
  assert_int_equal(instruction(&b, 4, odd, 1), 1 << 8 | 4); /* 4 x 2 cycles; the sum of the degrees halved would be 6 */
  assert_int_equal(instruction(&b, 4, mixed, 1), 1 << 8 | (0 + 3 + 2 + 0));
  bench_close(&b);
}

static void test_a_full_conflict_of_a_whole_warp_fits(void **unused) {
  (void)unused;
  static const int all = 32, none = 0, one = 1;
  struct bench b;
  bench_open(&b, sized(32, 1));
  assert_int_equal(instruction(&b, 1, &all, 2), 2 << 8 | 31);
  assert_int_equal(instruction(&b, 1, &none, 2), 2 << 8);
  assert_int_equal(instruction(&b, 1, &one, 2), 2 << 8);
  bench_close(&b);
}

static void test_a_flush_drops_what_was_added(void **unused) {
  (void)unused;
  static const int cd[4] = {1, 2, 1, 1};
  struct bench b;
  bench_open(&b, sized(8, 1));
  cycle(&b, 8, false, 3, false), cycle(&b, 8, false, 3, true);
  assert_int_equal(instruction(&b, 4, cd, 4), 4 << 8 | 1);
  cycle(&b, 8, false, 3, false);
  cycle(&b, 8, true, 3, true);
  assert_int_equal(cycle(&b, -1, false, 0, false), NONE);
  bench_close(&b);
}

static void test_random_instructions_add_up(void **unused) {
  (void)unused;
  struct rng rng;
  print_message("seed %#x\n", SEED);
  rng_seed(&rng, SEED);
  for (int p = 1; p <= 4; p++) {
    struct bench b;
    bench_open(&b, sized(8, p));
    for (int i = 0; i < 5000; i++) {
      uint32_t pc = rng_below(&rng, 1U << 14);
      int cycles = 0;
      for (int k = 0; k < 4; k++) {
        int cd = 1 + (int)rng_below(&rng, 8);
        for (int left = cd; left > 0; left -= p) cycles++; /* what the banks do, cycle by cycle */
        if (rng_percent(&rng, 30)) cycle(&b, -1, false, 0, false);
        cycle(&b, cd, k == 3, pc, false);
      }
      assert_int_equal(cycle(&b, -1, false, 0, false), (int)(pc << 8) | (cycles - 4));
    }
    bench_close(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_stored_degree_is_the_sum_less_the_slots),
    cmocka_unit_test(test_gaps_and_neighbours_change_nothing),
    cmocka_unit_test(test_ports_divide_each_subwarp_and_not_the_sum),
    cmocka_unit_test(test_a_full_conflict_of_a_whole_warp_fits),
    cmocka_unit_test(test_a_flush_drops_what_was_added),
    cmocka_unit_test(test_random_instructions_add_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
