/* SPDX-License-Identifier: Apache-2.0 */
/* slice: zorua */
/* Entries of a warp's row that masks of register sets name: by hand, and of random phases by what must hold of any: a set that stays keeps its
 * entry, no two sets share one, nothing lies beyond what the warp needs, and a new set lies beyond a free entry only if it need not. */
#include "base/rng.h"
#include "systems/zorua/entries.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// clang-format off
#include <cmocka.h>
// clang-format on

enum { SEED = 0x11fe, PHASES = 20000, ALL = 0xffff };

static void test_sets_by_hand(void **unused) {
  (void)unused;
  struct zorua_entries e = {0};
  /* a warp starts with sets 1, 4 and 9 */
  assert_int_equal(zorua_enter(&e, 0x212), 3);
  assert_int_equal(e.of[1], 0);
  assert_int_equal(e.of[4], 1);
  assert_int_equal(e.of[9], 2);
  /* 1 dies and 9 stays: entry 0 is mapped without a set */
  assert_int_equal(zorua_enter(&e, 0x210), 3);
  assert_int_equal(e.of[9], 2);
  /* 0 and 2 are new: entry 0, and the first one that nobody has */
  assert_int_equal(zorua_enter(&e, 0x215), 4);
  assert_int_equal(e.of[0], 0);
  assert_int_equal(e.of[2], 3);
  assert_int_equal(e.of[4], 1);
  /* the last entries have no set any more */
  assert_int_equal(zorua_enter(&e, 0x011), 2);
  assert_int_equal(zorua_enter(&e, 0), 0);
  assert_int_equal(zorua_enter(&e, ALL), ZORUA_WARP_SETS);
  for (uint32_t s = 0; s < ZORUA_WARP_SETS; s++) assert_int_equal(e.of[s], s);
}

/* Behind a phase that took the place of one with `old` entries. */
static void check(const struct zorua_entries *old, const struct zorua_entries *e, uint32_t needs) {
  uint32_t taken = 0, fresh = 0, highest_fresh = 0;
  for (uint32_t s = 0; s < ZORUA_WARP_SETS; s++) {
    if (!(e->sets >> s & 1)) continue;
    assert_true(e->of[s] < needs);
    assert_int_equal(taken >> e->of[s] & 1, 0);
    taken |= 1U << e->of[s];
    if (old->sets >> s & 1) {
      assert_int_equal(e->of[s], old->of[s]);
    } else {
      fresh++;
      if (e->of[s] > highest_fresh) highest_fresh = e->of[s];
    }
  }
  assert_int_equal(needs, taken ? 32 - __builtin_clz(taken) : 0);
  if (fresh) assert_int_equal(~taken & ((1U << highest_fresh) - 1), 0); /* the lowest free ones */
}

static void test_random_phases(void **unused) {
  (void)unused;
  struct rng g;
  struct zorua_entries e = {0};
  uint32_t mapped = 0, named = 0, without = 0;
  print_message("seed %d\n", SEED);
  rng_seed(&g, SEED);
  for (int n = 0; n < PHASES; n++) {
    if (rng_below(&g, 20) == 0) e.sets = 0; /* a warp starts */
    struct zorua_entries old = e;
    uint32_t some = rng_below(&g, ALL + 1), others = rng_below(&g, ALL + 1);
    uint16_t sets = (uint16_t)(some & others);
    uint32_t needs = zorua_enter(&e, sets);
    assert_int_equal(e.sets, sets);
    check(&old, &e, needs);
    mapped += needs, named += (uint32_t)__builtin_popcount(sets), without += needs > (uint32_t)__builtin_popcount(sets);
  }
  print_message("%u entries for %u sets; some entry has no set in %u of %d phases\n", mapped, named, without, PHASES);
  assert_true(without > 100 && mapped > named);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sets_by_hand), cmocka_unit_test(test_random_phases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
