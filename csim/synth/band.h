/* SPDX-License-Identifier: Apache-2.0 */
/* The error band of a figure: its spread over netlists of the same function that were synthesised differently. */
#ifndef TANDEM_SYNTH_BAND_H
#define TANDEM_SYNTH_BAND_H

#include <stdbool.h>

/* Median and the ends of the middle 95 % of the samples (quantiles 0.025 and 0.975, linear between order statistics). Of one
 * sample all three are the sample, and `n` says that there is no band. */
struct band {
  double median, low, high;
  unsigned n;
};

/* `n` at least 1; `samples` is not changed. */
struct band band_of(const double *samples, unsigned n);

enum band_order { BAND_SMALLER, BAND_NO_DIFFERENCE, BAND_LARGER };
extern const char *const band_order_names[]; /* "smaller", "no difference", "larger" */

/* Whether a is smaller or larger than b; of bands that overlap neither. */
enum band_order band_compare(const struct band *a, const struct band *b);

/* a / b, for b above 0; its band spans all quotients of values in the two bands. */
struct band band_ratio(const struct band *a, const struct band *b);
/* The band times a number with a band of its own. */
struct band band_times(const struct band *a, const struct band *b);
struct band band_exact(double value);

#endif
