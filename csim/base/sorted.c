/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sorted.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void sorted_doubles(double *values, size_t n) { qsort(values, n, sizeof *values, by_value); }

double sorted_quantile(const double *sorted, size_t n, double q) {
  double at = q * (double)(n - 1);
  size_t below = (size_t)at, above = below + 1 < n ? below + 1 : below;
  return sorted[below] + (sorted[above] - sorted[below]) * (at - (double)below);
}
