/* SPDX-License-Identifier: Apache-2.0 */
/* slice: teleport */
/* Rows of the preload table against the worked examples of the paper's distillation and against sums in wider numbers; the unlimited
 * buffer of the ideal models against a plain list. */
#include "systems/teleport/rows.h"

#include "base/rng.h"
#include "kit/test.h"
#include "ptx/affine_rows.h"
#include "systems/teleport/lines.h"

enum { T = 256 }; /* threads of a CTA in the examples */

static const struct teleport_row tiles = {0x10000, 4, {T}, 0, {T}, T};

static void expect(const struct teleport_row *r, uint32_t bx, uint64_t first, uint64_t end) {
  uint64_t from, to;
  assert_int_equal(teleport_row_range(r, (uint32_t[]){bx, 0, 0}, &from, &to), end > first);
  assert_int_equal(from, first);
  assert_int_equal(to, end);
}

static void test_examples(void **unused) {
  struct teleport_row r = tiles;
  (void)unused;
  expect(&r, 0, 0x10000, 0x10400);
  expect(&r, 3, 0x10c00, 0x11000);
  assert_int_equal(teleport_row_lines(&r, (uint32_t[]){4, 1, 1}), 8);
  r.typesize = 1;
  expect(&r, 1, 0x10100, 0x10200);
  assert_int_equal(teleport_row_lines(&r, (uint32_t[]){2, 1, 1}), 2);
  r = tiles, r.base = 0x10040;
  expect(&r, 0, 0x10040, 0x10440);
  assert_int_equal(teleport_row_lines(&r, (uint32_t[]){1, 1, 1}), 9);
  r = tiles; /* an end that is fetched, too */
  assert_true(teleport_row_extend(&r));
  expect(&r, 3, 0x10c00, 0x11004);
  assert_int_equal(teleport_row_lines(&r, (uint32_t[]){4, 1, 1}), 9);
  r.max_offset = INT32_MAX;
  assert_false(teleport_row_extend(&r));
  r = tiles, r.max_offset = 0;
  expect(&r, 2, 0x10800, 0x10800);
  assert_int_equal(teleport_row_lines(&r, (uint32_t[]){9, 9, 9}), 0);
}

/* The longest range of a row is at a corner of the grid: every CTA of small grids is asked. */
static void test_the_most_lines_of_a_grid(void **unused) {
  struct rng g;
  (void)unused;
  rng_seed(&g, 1);
  for (int turn = 0; turn < 2000; turn++) {
    struct teleport_row r = {.base = rng_below(&g, 1 << 20), .typesize = 128 * (1 + rng_below(&g, 3))};
    r.base -= r.base % 128; /* then a range's lines are its bytes / 128 */
    uint32_t grid[3];
    uint64_t most = 0;
    for (int k = 0; k < 3; k++) {
      grid[k] = 1 + rng_below(&g, 4);
      r.min_product[k] = (int32_t)rng_below(&g, 20) - 10;
      r.max_product[k] = (int32_t)rng_below(&g, 20) - 10;
    }
    r.min_offset = 100 + (int32_t)rng_below(&g, 50), r.max_offset = 100 + (int32_t)rng_below(&g, 50);
    for (uint32_t z = 0; z < grid[2]; z++)
      for (uint32_t y = 0; y < grid[1]; y++)
        for (uint32_t x = 0; x < grid[0]; x++) {
          int64_t n = r.max_offset - r.min_offset;
          n += (int64_t)x * (r.max_product[0] - r.min_product[0]) + (int64_t)y * (r.max_product[1] - r.min_product[1]) +
               (int64_t)z * (r.max_product[2] - r.min_product[2]);
          if (n > 0 && (uint64_t)n * r.typesize / 128 > most) most = (uint64_t)n * r.typesize / 128;
        }
    assert_int_equal(teleport_row_lines(&r, grid), most);
  }
}

static void test_rows_of_the_analysis_in_32_bits(void **unused) {
  struct affine_row a = {.base = 0x1000, .typesize = 4, .min_product = {7, -1, 0}, .max_product = {7, -1, 0}};
  struct teleport_row r;
  (void)unused;
  a.min_offset = -3, a.max_offset = 5;
  assert_true(teleport_row_from(&a, &r));
  expect(&r, 2, 0x1000 + 4 * (14 - 3), 0x1000 + 4 * (14 + 5));
  a.min_offset = (INT64_C(1) << 40) - 3, a.max_offset = (INT64_C(1) << 40) + 5; /* goes to the base */
  assert_true(teleport_row_from(&a, &r));
  expect(&r, 2, 0x1000 + (UINT64_C(4) << 40) + 4 * (14 - 3), 0x1000 + (UINT64_C(4) << 40) + 4 * (14 + 5));
  a.max_product[0] = INT64_C(1) << 31;
  assert_false(teleport_row_from(&a, &r));
  a.max_product[0] = 7, a.max_offset = a.min_offset + (INT64_C(1) << 31);
  assert_false(teleport_row_from(&a, &r));
}

static void test_the_unlimited_buffer(void **unused) {
  enum { NUMBERS = 5000 };
  static bool there[NUMBERS];
  struct teleport_lines *lines = teleport_lines_create();
  struct rng g;
  (void)unused;
  rng_seed(&g, 2);
  for (int turn = 0; turn < 60000; turn++) {
    uint32_t k = rng_below(&g, NUMBERS);
    uint64_t number = (uint64_t)k * (k % 2 ? 1 : UINT64_C(1) << 32);
    uint8_t *copy = teleport_lines_find(lines, number);
    assert_int_equal(copy != NULL, there[k]);
    if (copy) assert_int_equal(copy[127], k % 251);
    if (rng_percent(&g, 40)) {
      assert_int_equal(teleport_lines_remove(lines, number), there[k]);
      there[k] = false;
      continue;
    }
    bool was;
    teleport_lines_add(lines, number, &was)[127] = (uint8_t)(k % 251);
    assert_int_equal(was, there[k]);
    there[k] = true;
  }
  teleport_lines_clear(lines);
  for (uint32_t k = 1; k < NUMBERS; k += 2) assert_null(teleport_lines_find(lines, k));
  teleport_lines_destroy(lines);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_examples),
    cmocka_unit_test(test_the_most_lines_of_a_grid),
    cmocka_unit_test(test_rows_of_the_analysis_in_32_bits),
    cmocka_unit_test(test_the_unlimited_buffer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
