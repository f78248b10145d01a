/* SPDX-License-Identifier: Apache-2.0 */
#include "synth/band.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MAX = 1024 };

const char *const band_order_names[] = {"smaller", "no difference", "larger"};

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double quantile(const double *sorted, unsigned n, double q) {
  double at = q * (n - 1);
  unsigned below = (unsigned)at, above = below + 1 < n ? below + 1 : below;
  return sorted[below] + (sorted[above] - sorted[below]) * (at - below);
}

struct band band_of(const double *samples, unsigned n) {
  double sorted[SAMPLES_MAX];
  invariant(n >= 1 && n <= SAMPLES_MAX, "a band of %u samples", n);
  memcpy(sorted, samples, n * sizeof *samples);
  qsort(sorted, n, sizeof *sorted, by_value);
  return (struct band){quantile(sorted, n, 0.5), quantile(sorted, n, 0.025), quantile(sorted, n, 0.975), n};
}

enum band_order band_compare(const struct band *a, const struct band *b) {
  return a->high < b->low ? BAND_SMALLER : a->low > b->high ? BAND_LARGER : BAND_NO_DIFFERENCE;
}

struct band band_ratio(const struct band *a, const struct band *b) {
  unsigned n = a->n > b->n ? a->n : b->n;
  return (struct band){a->median / b->median, a->low / b->high, a->high / b->low, n};
}

struct band band_times(const struct band *a, const struct band *b) {
  unsigned n = a->n > b->n ? a->n : b->n;
  return (struct band){a->median * b->median, a->low * b->low, a->high * b->high, n};
}

struct band band_exact(double value) {
  return (struct band){value, value, value, 0};
}
