/* SPDX-License-Identifier: Apache-2.0 */
/* Do the circuits of figure 7 hit exactly the bytes of configured buffers? */
#include "base/rng.h"
#include "d2ma_raw_compare_ports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEED = 0x5eed13, N = 5, SHARED = 65536 };

static const struct d2ma_raw_compare_cfg cfg = {.N = N};

static uint32_t hits(uint32_t configured, const uint16_t *base, const uint16_t *bytes, uint16_t addr) {
  struct d2ma_raw_compare_in in = {.configured = configured, .addr = addr};
  struct d2ma_raw_compare_out out = {.hit = UINT32_MAX};
  uint8_t none = 0;
  memcpy(in.base, base, N * sizeof *base);
  memcpy(in.bytes, bytes, N * sizeof *bytes);
  d2ma_raw_compare_model.eval(&cfg, &none, &in, &out);
  return out.hit;
}

/* Against a map of shared memory with one bit for each buffer. */
static void test_every_byte_of_shared_memory(void **unused) {
  (void)unused;
  static uint8_t owner[SHARED];
  struct rng rng;
  print_message("seed %d\n", SEED);
  rng_seed(&rng, SEED);
  for (int round = 0; round < 40; round++) {
    uint16_t base[N], bytes[N];
    uint32_t configured = rng_below(&rng, 1U << N);
    memset(owner, 0, sizeof owner);
    for (uint32_t n = 0; n < N; n++) {
      base[n] = (uint16_t)rng_u32(&rng);
      bytes[n] = (uint16_t)(rng_u32(&rng) >> (16 + rng_below(&rng, 16)));
      for (uint32_t b = base[n]; b < base[n] + (uint32_t)bytes[n] && b < SHARED; b++)
        if (configured >> n & 1) owner[b] |= (uint8_t)(1U << n);
    }
    for (uint32_t b = 0; b < SHARED; b++) assert_int_equal(hits(configured, base, bytes, (uint16_t)b), owner[b]);
  }
}

static void test_the_edges_of_the_specification(void **unused) {
  (void)unused;
  const uint16_t base[N] = {0x400, 0xff00}, bytes[N] = {0x200, 0x100};
  assert_int_equal(hits(3, base, bytes, 0x400), 1);
  assert_int_equal(hits(3, base, bytes, 0x5ff), 1);
  assert_int_equal(hits(3, base, bytes, 0x3ff), 0);
  assert_int_equal(hits(3, base, bytes, 0x600), 0);
  assert_int_equal(hits(3, base, bytes, 0xffff), 2);
  assert_int_equal(hits(0, base, bytes, 0x400), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_byte_of_shared_memory),
    cmocka_unit_test(test_the_edges_of_the_specification),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
