/* SPDX-License-Identifier: Apache-2.0 */
#include "synth/band.h"

#include "base/err.h"
#include "base/sorted.h"

#include <string.h>

enum { SAMPLES_MAX = 1024 };

const char *const band_order_names[] = {"smaller", "no difference", "larger"};

struct band band_of(const double *samples, unsigned n) {
  double sorted[SAMPLES_MAX];
  invariant(n >= 1 && n <= SAMPLES_MAX, "a band of %u samples", n);
  memcpy(sorted, samples, n * sizeof *samples);
  sorted_doubles(sorted, n);
  return (struct band){sorted_quantile(sorted, n, 0.5), sorted_quantile(sorted, n, 0.025),
                       sorted_quantile(sorted, n, 0.975), n};
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
