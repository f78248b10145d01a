/* SPDX-License-Identifier: Apache-2.0 */
/* slice: d2ma */
/* Is the range of an access the smallest that holds every byte of its active lanes? Against a map of shared memory in which
 * each lane marks its bytes. */
#include "base/rng.h"
#include "d2ma_lane_range_ports.h"
#include "kit/block_bench.h"

enum { SEED = 0x1a9e, LANES = 32, SHARED = 65536, ROUNDS = 3000 };

BLOCK_BENCH(d2ma_lane_range);

static uint8_t touched[SHARED];

/* Marks the bytes of the access that exist; returns how many lanes are active. */
static uint32_t mark(const uint16_t *lane, uint32_t mask, uint32_t bytes) {
  memset(touched, 0, sizeof touched);
  for (uint32_t n = 0; n < LANES; n++)
    for (uint32_t b = lane[n]; mask >> n & 1 && b < lane[n] + bytes && b < SHARED; b++) touched[b] = 1;
  return (uint32_t)__builtin_popcount(mask);
}

static void test_the_range_holds_every_byte_and_ends_at_bytes(void **state) {
  (void)state;
  struct bench b;
  struct rng g;
  print_message("seed %d\n", SEED);
  rng_seed(&g, SEED);
  bench_open(&b, (struct d2ma_lane_range_cfg){.LANES = LANES, .CTAS = 8, .WARPS = 48});
  for (uint32_t i = 0; i < ROUNDS; i++) {
    uint16_t lane[LANES], base = (uint16_t)rng_u32(&g);
    uint32_t bytes = 1U << rng_below(&g, 5), spread = 1U << (1 + rng_below(&g, 15));
    uint32_t mask = i % 2 ? UINT32_MAX : 1U << rng_below(&g, LANES);
    for (uint32_t n = 0; i % 3 && n < 3; n++) mask |= 1U << rng_below(&g, LANES);
    if (i % 17 == 0) mask = 0;
    for (uint32_t n = 0; n < LANES; n++) {
      uint32_t address = base + rng_below(&g, spread);
      lane[n] = (uint16_t)(address < SHARED ? address : SHARED - 1);
    }
    memcpy(b.in.at_addr, lane, sizeof lane);
    b.in.at_valid = 1, b.in.at_mask = mask, b.in.at_last = (uint8_t)(bytes - 1);
    b.in.at_cta = i % 8, b.in.at_warp = i % 48;
    bench_cycle(&b);
    bench_settle(&b);
    uint32_t active = mark(lane, mask, bytes), first = 0, last = SHARED - 1;
    assert_int_equal(b.out.ld_valid, active != 0);
    if (!active) continue;
    while (!touched[first]) first++;
    while (!touched[last]) last--;
    assert_int_equal(b.out.ld_lo, first);
    assert_int_equal(b.out.ld_hi, last);
    assert_true(b.out.ld_cta == i % 8 && b.out.ld_warp == i % 48);
  }
  bench_close(&b);
}

static void test_a_query_follows_its_access_by_one_cycle(void **state) {
  (void)state;
  struct bench b;
  bench_open(&b, (struct d2ma_lane_range_cfg){.LANES = 5, .CTAS = 3, .WARPS = 24});
  b.in.at_valid = 1, b.in.at_mask = 1;
  assert_false(bench_cycle(&b)->ld_valid);
  assert_true(bench_cycle(&b)->ld_valid && b.out.busy);
  assert_false(bench_cycle(&b)->ld_valid || b.out.busy);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_the_range_holds_every_byte_and_ends_at_bytes),
    cmocka_unit_test(test_a_query_follows_its_access_by_one_cycle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
