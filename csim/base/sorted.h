/* SPDX-License-Identifier: Apache-2.0 */
/* Order statistics of measurements. */
#ifndef TANDEM_BASE_SORTED_H
#define TANDEM_BASE_SORTED_H

#include <stddef.h>

/* Sorts the values, smallest first. */
void sorted_doubles(double *values, size_t n);
/* The quantile `q` (0 to 1) of sorted values, n >= 1, linear between neighbours; 0.5: the median. */
double sorted_quantile(const double *sorted, size_t n, double q);

#endif
