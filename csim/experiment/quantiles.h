/* SPDX-License-Identifier: Apache-2.0 */
/* What a box plot shows of numbers (Tukey 1977). */
#ifndef TANDEM_EXPERIMENT_QUANTILES_H
#define TANDEM_EXPERIMENT_QUANTILES_H

/* The quartiles are linear between the two nearest numbers. The whiskers end at the lowest and the highest number that is no farther than 1.5
 * times the difference of the quartiles from the box. */
struct quantiles {
  double low, first, median, third, high;
};

/* Sorts the numbers, n of them, at least 1, all finite. */
struct quantiles quantiles_of(double *values, unsigned n);

#endif
