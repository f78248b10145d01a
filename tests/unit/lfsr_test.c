/* SPDX-License-Identifier: Apache-2.0 */
/* Does the LFSR run through every state but 0, and step only when it may? */
#include "base/rng.h"
#include "lfsr_ports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct bench {
  struct lfsr_cfg cfg;
  uint64_t state[8];
};

static uint64_t cycle(struct bench *b, bool step) {
  struct lfsr_in in = {.step = step};
  struct lfsr_out out;
  lfsr_model.eval(&b->cfg, b->state, &in, &out);
  lfsr_model.tick(&b->cfg, b->state, &in, &out);
  return out.state;
}

static void test_16_bits_have_the_full_period(void **unused) {
  (void)unused;
  struct bench b = {.cfg = {.W = 16, .SEED = 1}};
  lfsr_model.reset(&b.cfg, b.state);
  static uint8_t seen[1 << 16];
  for (uint32_t i = 0; i < 65535; i++) {
    uint64_t state = cycle(&b, true);
    assert_in_range(state, 1, 65535);
    assert_false(seen[state]);
    seen[state] = 1;
  }
}

/* The polynomials of 32 and 64 bits by themselves: the new bit is the parity of the tapped ones, counted from 1. */
static void test_wider_ones_have_their_published_taps(void **unused) {
  (void)unused;
  static const int taps[2][4] = {{32, 22, 2, 1}, {64, 63, 61, 60}};
  for (int k = 0; k < 2; k++) {
    struct bench b = {.cfg = {.W = taps[k][0], .SEED = 5}};
    lfsr_model.reset(&b.cfg, b.state);
    uint64_t last = cycle(&b, true);
    for (int i = 0; i < 1000; i++) {
      uint64_t bit = 0, state = cycle(&b, true);
      for (int t = 0; t < 4; t++) bit ^= last >> (taps[k][t] - 1) & 1;
      assert_true(state == ((last << 1 | bit) & UINT64_MAX >> (64 - taps[k][0])));
      last = state;
    }
  }
}

static void test_it_stands_still_without_a_step_and_seeds_differ(void **unused) {
  (void)unused;
  struct bench a = {.cfg = {.W = 64, .SEED = 1}}, b = {.cfg = {.W = 64, .SEED = 2}};
  lfsr_model.reset(&a.cfg, a.state);
  lfsr_model.reset(&b.cfg, b.state);
  uint64_t state = cycle(&a, false);
  assert_true(cycle(&a, false) == state && cycle(&a, true) == state && cycle(&a, false) != state);
  assert_true(cycle(&b, false) != state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_16_bits_have_the_full_period),
    cmocka_unit_test(test_wider_ones_have_their_published_taps),
    cmocka_unit_test(test_it_stands_still_without_a_step_and_seeds_differ),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
