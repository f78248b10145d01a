/* SPDX-License-Identifier: Apache-2.0 */
/* slice: ldesc */
/* Does the policy table answer as the driver filled it? Against a map of memory that names the owner of every line. */
#include "base/rng.h"
#include "kit/block_bench.h"
#include "ldt_lookup_ports.h"

BLOCK_BENCH(ldt_lookup);

enum { SEED = 0x1d7, ROWS = 16, LINES = 512, NOBODY = ROWS, ROUNDS = 200 };

static void write_row(struct bench *b, uint32_t row, uint64_t base, uint64_t limit) {
  b->in.set_en = 1, b->in.set_row = (uint8_t)row, b->in.set_base = base, b->in.set_limit = limit;
  b->in.set_insert = row % 4, b->in.set_pf = row / 4 % 3;
  bench_cycle(b);
}

static void test_every_line_has_its_owner(void **unused) {
  (void)unused;
  struct bench b;
  struct rng g;
  uint32_t nobody = 0, shared = 0;
  print_message("seed %d\n", SEED);
  rng_seed(&g, SEED);
  bench_open(&b, (struct ldt_lookup_cfg){.ROWS = ROWS, .PAW = 48});
  for (int round = 0; round < ROUNDS; round++) {
    uint8_t owner[LINES];
    memset(owner, NOBODY, sizeof owner);
    b.in.clear_en = 1;
    bench_cycle(&b);
    for (uint32_t row = ROWS; row-- > rng_below(&g, ROWS);) { /* from the lowest priority to the highest */
      uint32_t base = rng_below(&g, LINES), limit = base + rng_below(&g, 80);
      if (limit > LINES) limit = LINES;
      write_row(&b, row, base, limit);
      for (uint32_t line = base; line < limit; line++) shared += owner[line] != NOBODY, owner[line] = (uint8_t)row;
    }
    for (uint32_t line = 0; line < LINES; line++) {
      uint32_t row = owner[line];
      b.in.at_en = 1, b.in.at_addr = UINT64_C(128) * line + rng_below(&g, 128);
      bench_cycle(&b);
      assert_int_equal(b.out.hit, row != NOBODY);
      assert_int_equal(b.out.hit_row, row == NOBODY ? 0 : row);
      assert_int_equal(b.out.insert, row == NOBODY ? 0 : row % 4);
      assert_int_equal(b.out.pf, row == NOBODY ? 0 : row / 4 % 3);
      nobody += row == NOBODY;
    }
  }
  assert_true(nobody && shared);
  bench_close(&b);
}

static void test_writing_is_seen_from_the_next_cycle_on(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, (struct ldt_lookup_cfg){.ROWS = 5, .PAW = 48});
  b.in.at_en = 1, b.in.at_addr = 0x1000;
  write_row(&b, 4, 0x20, 0x21);
  assert_int_equal(b.out.hit, 0);
  b.in.at_en = 1, b.in.at_addr = 0x1000, b.in.clear_en = 1;
  write_row(&b, 1, 0x20, 0x21); /* written after the clearing */
  assert_true(b.out.hit && b.out.hit_row == 4);
  b.in.at_en = 1, b.in.at_addr = 0x107f;
  write_row(&b, 5, 0x20, 0x21); /* there is no row 5 */
  assert_true(b.out.hit && b.out.hit_row == 1);
  b.in.at_en = 1, b.in.at_addr = 0x1080;
  bench_cycle(&b);
  assert_int_equal(b.out.hit, 0);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_line_has_its_owner),
    cmocka_unit_test(test_writing_is_seen_from_the_next_cycle_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
