/* SPDX-License-Identifier: Apache-2.0 */
/* slice: zorua */
/* What epochs touch: figures by hand of a few accesses, and the same of random ones by an oracle that keeps every access of every cycle in a
 * list and looks through it again for each epoch. */
#include "base/rng.h"
#include "systems/zorua/tables.h"
#include "systems/zorua/touch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
// clang-format off
#include <cmocka.h>
// clang-format on

enum { EPOCH = 100, CYCLES = 4000, SEED = 0x70c4 };

static void test_figures_by_hand(void **unused) {
  (void)unused;
  struct zorua_counters n = {0};
  struct zorua_touch *t = zorua_touch_make(&n, EPOCH);
  assert_non_null(t);
  zorua_touch_start(t, 1, 0, 64, 0);
  /* epoch 0: r0 is written in cycle 10 and read in 30 and 50, r1 in half of the lanes; 8 bytes from byte 6 on lie in three words */
  zorua_touch_registers(t, 0, 0, 1, true, 10);
  zorua_touch_registers(t, 0, 1, 2, false, 30);
  zorua_touch_registers(t, 0, 1, 0, true, 50);
  zorua_touch_bytes(t, 6, 8, false, true, 50);
  zorua_touch_ran(t, 100);
  assert_int_equal(n.zorua_touch_epochs_1, 1);
  assert_int_equal(n.zorua_touch_registers_1, 2);
  assert_int_equal(n.zorua_touch_scratch_1, 3);
  assert_int_equal(n.zorua_live_registers, 40);
  assert_int_equal(n.zorua_live_scratch, 0);
  /* epoch 1: r1 is read: it lives from the start, as half of the lanes did not write it. The same register of another warp is another one. */
  zorua_touch_registers(t, 0, 2, 0, true, 130);
  zorua_touch_start(t, 2, 0, 0, 140);
  zorua_touch_registers(t, 1, 2, 0, true, 150);
  zorua_touch_bytes(t, 8, 4, true, false, 150); /* stored in 50 */
  zorua_touch_bytes(t, UINT64_C(4) * ZORUA_TOUCH_WORDS, 4, true, false, 150);
  zorua_touch_ran(t, 99);
  assert_int_equal(n.zorua_touch_epochs_1, 1);
  zorua_touch_ran(t, 1);
  assert_int_equal(n.zorua_touch_registers_1, 2 + 2);
  assert_int_equal(n.zorua_touch_scratch_1, 3 + 1);
  assert_int_equal(n.zorua_live_registers, 40 + 130 + 10);
  assert_int_equal(n.zorua_live_scratch, 100);
  assert_int_equal(n.zorua_touch_epochs_2, 1);
  assert_int_equal(n.zorua_touch_registers_2, 3); /* r0 and r1 of one warp, r1 of the other */
  assert_int_equal(n.zorua_touch_scratch_2, 3);
  /* six epochs in which nothing is accessed pass at once */
  zorua_touch_ran(t, 650);
  assert_int_equal(n.zorua_touch_epochs_1, 8);
  assert_int_equal(n.zorua_touch_epochs_4, 2);
  assert_int_equal(n.zorua_touch_epochs_8, 1);
  assert_int_equal(n.zorua_touch_registers_4, 3);
  assert_int_equal(n.zorua_touch_registers_8, 3);
  assert_int_equal(n.zorua_touch_scratch_8, 3);
  free(t);
}

struct access {
  uint32_t cycle, warp, reg, word;
};

/* Distinct registers, or words, of the accesses of cycles [from, to). */
static uint64_t distinct(const struct access *a, uint32_t n, uint32_t from, uint32_t to, bool words) {
  static bool seen[ZORUA_TOUCH_WORDS];
  uint64_t found = 0;
  memset(seen, 0, sizeof seen);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = words ? a[i].word : a[i].warp * ZORUA_TOUCH_REGISTERS + a[i].reg;
    if (a[i].cycle < from || a[i].cycle >= to || seen[at]) continue;
    seen[at] = true;
    found++;
  }
  return found;
}

static uint64_t over_epochs(const struct access *a, uint32_t n, uint32_t length, bool words) {
  uint64_t sum = 0;
  for (uint32_t from = 0; from + length <= CYCLES; from += length) sum += distinct(a, n, from, from + length, words);
  return sum;
}

static void test_epochs_of_random_accesses(void **unused) {
  (void)unused;
  struct zorua_counters n = {0};
  struct zorua_touch *t = zorua_touch_make(&n, EPOCH);
  static struct access a[CYCLES];
  uint32_t accesses = 0;
  struct rng r;
  rng_seed(&r, SEED);
  for (uint32_t cycle = 0; cycle < CYCLES;) {
    struct access *x = &a[accesses++];
    *x = (struct access){.cycle = cycle,
                         .warp = (uint32_t)rng_below(&r, ZORUA_TOUCH_WARPS),
                         .reg = (uint32_t)rng_below(&r, ZORUA_TOUCH_REGISTERS),
                         .word = (uint32_t)rng_below(&r, ZORUA_TOUCH_WORDS)};
    if (rng_below(&r, 2)) zorua_touch_registers(t, x->warp, UINT64_C(1) << x->reg, 0, true, cycle);
    else zorua_touch_registers(t, x->warp, 0, UINT64_C(1) << x->reg, rng_below(&r, 2), cycle);
    zorua_touch_bytes(t, 4 * x->word, 4, rng_below(&r, 2), true, cycle);
    uint32_t ran = 1 + (rng_below(&r, 4) ? 0 : (uint32_t)rng_below(&r, 250)); /* some are skipped */
    if (cycle + ran > CYCLES) ran = CYCLES - cycle;
    zorua_touch_ran(t, ran);
    cycle += ran;
  }
  assert_int_equal(n.zorua_touch_epochs_1, CYCLES / EPOCH);
  assert_int_equal(n.zorua_touch_registers_1, over_epochs(a, accesses, EPOCH, false));
  assert_int_equal(n.zorua_touch_scratch_1, over_epochs(a, accesses, EPOCH, true));
  assert_int_equal(n.zorua_touch_registers_2, over_epochs(a, accesses, 2 * EPOCH, false));
  assert_int_equal(n.zorua_touch_scratch_2, over_epochs(a, accesses, 2 * EPOCH, true));
  assert_int_equal(n.zorua_touch_registers_4, over_epochs(a, accesses, 4 * EPOCH, false));
  assert_int_equal(n.zorua_touch_scratch_4, over_epochs(a, accesses, 4 * EPOCH, true));
  assert_int_equal(n.zorua_touch_registers_8, over_epochs(a, accesses, 8 * EPOCH, false));
  assert_int_equal(n.zorua_touch_scratch_8, over_epochs(a, accesses, 8 * EPOCH, true));
  free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_figures_by_hand),
                                     cmocka_unit_test(test_epochs_of_random_accesses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
