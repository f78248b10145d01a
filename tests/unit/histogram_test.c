/* SPDX-License-Identifier: Apache-2.0 */
/* Is every value in a bucket that holds it, no wider than a sixteenth of it, and does a bucket keep count and sum? */
#include "base/histogram.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SEED = 0x811, VALUES = 20000 };

/* The first bucket whose next one begins above the value. */
static uint32_t bucket_by_search(uint64_t value) {
  uint32_t i = 0;
  while (i + 1 < HISTOGRAM_BUCKETS && histogram_from(i + 1) <= value) i++;
  return i;
}

static void test_buckets(void **unused) {
  (void)unused;
  for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
    uint64_t from = histogram_from(i), to = histogram_from(i + 1) - 1;
    assert_true(from <= to);
    assert_true((to - from) * 16 <= from);
    assert_int_equal(histogram_bucket(from), i);
    assert_int_equal(histogram_bucket(to), i);
  }
  assert_int_equal(histogram_bucket(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
}

static void test_counts_and_sums(void **unused) {
  (void)unused;
  struct rng r;
  struct histogram *h = calloc(2, sizeof *h);
  uint64_t count = 0, sum = 0;
  assert_non_null(h);
  print_message("seed 0x%x\n", SEED);
  rng_seed(&r, SEED);
  for (uint32_t i = 0; i < VALUES; i++) {
    uint64_t value = rng_below(&r, 1U << (1 + rng_below(&r, 30)));
    uint32_t bucket = bucket_by_search(value);
    uint64_t before = h[i % 2].bucket[bucket].count, total = h[i % 2].bucket[bucket].sum;
    histogram_add(&h[i % 2], value);
    assert_int_equal(h[i % 2].bucket[bucket].count, before + 1);
    assert_int_equal(h[i % 2].bucket[bucket].sum, total + value);
    sum += value;
  }
  histogram_join(&h[0], &h[1]);
  for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
    count += h[0].bucket[i].count;
    sum -= h[0].bucket[i].sum;
  }
  assert_int_equal(count, VALUES);
  assert_int_equal(sum, 0);
  free(h);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_buckets), cmocka_unit_test(test_counts_and_sums)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
