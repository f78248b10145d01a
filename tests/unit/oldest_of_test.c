/* SPDX-License-Identifier: Apache-2.0 */
/* Does oldest_of choose the client that arrived first, also where the stamps wrap? */
#include "base/rng.h"
#include "oldest_of_ports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEED = 0x5eed12, N = 7, W = 8 };

static uint32_t pick(uint32_t valid, const uint8_t *stamp) {
  const struct oldest_of_cfg cfg = {.N = N, .W = W};
  struct oldest_of_in in = {.valid = (uint16_t)valid};
  struct oldest_of_out out = {.pick = 0xffff};
  uint8_t none = 0;
  memcpy(in.stamp, stamp, N);
  oldest_of_model.eval(&cfg, &none, &in, &out);
  return out.pick;
}

static void test_the_smallest_arrival_number_wins(void **unused) {
  (void)unused;
  print_message("seed %d\n", SEED);
  struct rng rng;
  rng_seed(&rng, SEED);
  for (int i = 0; i < 20000; i++) {
    uint32_t valid = rng_below(&rng, 1U << N), now = rng_u32(&rng) >> 1, arrival[N], oldest = N;
    uint8_t stamp[N];
    for (uint32_t n = 0; n < N; n++) {
      arrival[n] = now + rng_below(&rng, 1U << (W - 1));
      stamp[n] = (uint8_t)arrival[n];
      if ((valid >> n & 1) && (oldest == N || arrival[n] < arrival[oldest])) oldest = n;
    }
    assert_int_equal(pick(valid, stamp), oldest < N ? 1U << oldest : 0);
  }
}

static void test_of_equal_stamps_the_lowest_number_wins(void **unused) {
  (void)unused;
  const uint8_t stamp[N] = {9, 9, 9, 9, 9, 9, 9};
  assert_int_equal(pick(0x68, stamp), 0x08);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_smallest_arrival_number_wins),
    cmocka_unit_test(test_of_equal_stamps_the_lowest_number_wins),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
