/* SPDX-License-Identifier: Apache-2.0 */
/* slice: zorua */
/* Quartiles and whiskers of box plots, by hand. */
#include "experiment/quantiles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

static void expect(struct quantiles q, double low, double first, double median, double third, double high) {
  assert_true(q.low == low && q.first == first && q.median == median && q.third == third && q.high == high);
}

static void test_by_hand(void **unused) {
  (void)unused;
  double one[] = {7}, five[] = {5, 1, 4, 2, 3}, four[] = {4, 3, 2, 1}, equal[] = {2, 2, 2, 2};
  expect(quantiles_of(one, 1), 7, 7, 7, 7, 7);
  expect(quantiles_of(five, 5), 1, 2, 3, 4, 5);
  expect(quantiles_of(four, 4), 1, 1.75, 2.5, 3.25, 4);
  expect(quantiles_of(equal, 4), 2, 2, 2, 2, 2);
}

/* Quartiles 2 and 4: whiskers reach from -1 to 7 at the most. */
static void test_what_lies_far_away(void **unused) {
  (void)unused;
  double high[] = {1, 2, 3, 4, 100}, low[] = {-50, 2, 3, 4, 5}, edge[] = {-1, 2, 3, 4, 7};
  expect(quantiles_of(high, 5), 1, 2, 3, 4, 4);
  expect(quantiles_of(low, 5), 2, 2, 3, 4, 5);
  expect(quantiles_of(edge, 5), -1, 2, 3, 4, 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand), cmocka_unit_test(test_what_lies_far_away)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
