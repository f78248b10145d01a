/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/quantiles.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Of sorted numbers; `part`: 0 for the lowest, 1 for the highest. */
static double quantile(const double *sorted, unsigned n, double part) {
  double at = part * (n - 1);
  unsigned i = (unsigned)at;
  return i + 1 < n ? sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

struct quantiles quantiles_of(double *v, unsigned n) {
  qsort(v, n, sizeof *v, by_value);
  struct quantiles q = {.first = quantile(v, n, 0.25), .median = quantile(v, n, 0.5), .third = quantile(v, n, 0.75)};
  double reach = 1.5 * (q.third - q.first);
  unsigned low = 0, high = n - 1;
  while (v[low] < q.first - reach) low++;
  while (v[high] > q.third + reach) high--;
  q.low = v[low] < q.first ? v[low] : q.first;
  q.high = v[high] > q.third ? v[high] : q.third;
  return q;
}
