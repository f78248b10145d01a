/* SPDX-License-Identifier: Apache-2.0 */
/* Does first_from choose the first request of a walk round the ring? */
#include "base/rng.h"
#include "first_from_ports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEED = 0x5eed11 };

static uint32_t pick(int32_t n, uint32_t req, uint32_t from) {
  const struct first_from_cfg cfg = {.N = n};
  const struct first_from_in in = {.req = req, .from = (uint8_t)from};
  struct first_from_out out = {.pick = UINT32_MAX};
  uint8_t none = 0;
  first_from_model.eval(&cfg, &none, &in, &out);
  return out.pick;
}

static void test_a_walk_from_the_starting_place_meets_it_first(void **unused) {
  (void)unused;
  print_message("seed %d\n", SEED);
  struct rng rng;
  rng_seed(&rng, SEED);
  for (uint32_t n = 1; n <= 32; n++)
    for (int i = 0; i < 500; i++) {
      uint64_t r = rng_u64(&rng);
      uint32_t req = (uint32_t)(r & r >> 32) & UINT32_MAX >> (32 - n), from = rng_below(&rng, n), want = 0;
      for (uint32_t k = 0; k < n && !want; k++) want = req & 1U << (from + k) % n;
      assert_true(pick((int32_t)n, req, from) == want);
    }
}

static void test_a_starting_place_outside_the_ring_counts_as_0(void **unused) {
  (void)unused;
  assert_int_equal(pick(5, 0x14, 7), 0x04);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_walk_from_the_starting_place_meets_it_first),
    cmocka_unit_test(test_a_starting_place_outside_the_ring_counts_as_0),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
