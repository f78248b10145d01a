/* SPDX-License-Identifier: Apache-2.0 */
/* Does each tournament of tree_pick end as a tournament played match by match? */
#include "base/rng.h"
#include "tree_pick_ports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEED = 0x5eed13 };

static bool loses(const struct tree_pick_cfg *cfg, const struct tree_pick_in *in, uint32_t level, uint32_t place) {
  uint32_t at = level * (uint32_t)cfg->W + place;
  return in->lose[at / 32] >> at % 32 & 1;
}

/* The winner of the group of 2^level players whose lowest place is `base`, or -1. */
static int32_t winner(const struct tree_pick_cfg *cfg, const struct tree_pick_in *in, uint32_t level, uint32_t base) {
  if (level == 0) return in->ask >> base & 1 ? (int32_t)base : -1;
  uint32_t upper = base + (1U << ((uint32_t)cfg->FIRST + level - 1));
  int32_t a = winner(cfg, in, level - 1, base), b = winner(cfg, in, level - 1, upper);
  if (a < 0 || b < 0) return a < 0 ? b : a;
  return loses(cfg, in, level - 1, base) ? b : a;
}

static void check(struct rng *rng, int32_t w, int32_t first, int32_t levels) {
  const struct tree_pick_cfg cfg = {.W = w, .FIRST = first, .LEVELS = levels};
  struct tree_pick_in in;
  struct tree_pick_out out;
  uint8_t none = 0;
  memset(&in, 0, sizeof in);
  in.ask = rng_u64(rng) & UINT64_MAX >> (64 - w);
  if (rng_percent(rng, 50)) in.ask &= rng_u64(rng);
  for (uint32_t b = 0; b < (uint32_t)levels; b++) {
    uint64_t r = rng_u64(rng);
    for (uint32_t p = 0; p < (uint32_t)w; p++) {
      uint32_t low = p & ~(((2U << b) - 1) << first), at = b * (uint32_t)w + p;
      bool upper = p >> ((uint32_t)first + b) & 1, upper_loses = r >> low & 1;
      if (upper == upper_loses) in.lose[at / 32] |= 1U << at % 32;
    }
  }
  uint64_t want = 0, any = 0;
  for (uint32_t p = 0; p < (uint32_t)w; p++) {
    int32_t best = winner(&cfg, &in, (uint32_t)levels, p & ~(((1U << levels) - 1) << first));
    if (best < 0) continue;
    any |= UINT64_C(1) << p;
    want |= UINT64_C(1) << best;
  }
  tree_pick_model.eval(&cfg, &none, &in, &out);
  assert_true(out.pick == want && out.any == any);
}

static void test_winners_are_those_of_a_tournament_played_match_by_match(void **unused) {
  (void)unused;
  print_message("seed %d\n", SEED);
  struct rng rng;
  rng_seed(&rng, SEED);
  for (int i = 0; i < 2000; i++) {
    check(&rng, 64, 0, 3);
    check(&rng, 64, 3, 3);
    check(&rng, 64, 0, 6);
    check(&rng, 16, 2, 2);
    check(&rng, 8, 0, 1);
    check(&rng, 2, 0, 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_winners_are_those_of_a_tournament_played_match_by_match),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
