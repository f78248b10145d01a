/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on one published number, computed from it and the measured number alone. */
#ifndef TANDEM_CLAIMS_VERDICT_H
#define TANDEM_CLAIMS_VERDICT_H

#include "measure/expression.h"

enum verdict {
  VERDICT_REPRODUCED,     /* the measured band overlaps the published range, widened by the claim's tolerance */
  VERDICT_DIRECTION_ONLY, /* it does not, but is on the same side of `neutral` as the published number */
  VERDICT_NOT_REPRODUCED,
  VERDICT_CANNOT_HOLD, /* other numbers of the same paper exclude it */
  VERDICT_STALE,       /* the hardware is not the one that passed lockstep and proof */
  VERDICTS
};
extern const char *const verdict_names[VERDICTS];

struct published {
  double low, high;  /* as printed; equal for one number */
  double half_digit; /* half of the last printed digit: the largest error of rounding */
  double tolerance;  /* relative, 0.1: ten per cent */
  bool has_neutral;  /* `neutral` is the value of no effect: 1 for a speed-up, 0 for a change */
  double neutral;
};

/* Half of the last digit of a number as it is printed ("1.36": 0.005; "7": 0.5; "1e3": 0.5). */
double published_half_digit(const char *text);

enum { VERDICT_REASON_BYTES = 320 };

/* One of the first three. `reason`: a sentence with both numbers. */
enum verdict verdict_of(const struct published *, const struct figure *ours, char reason[VERDICT_REASON_BYTES]);
/* Cannot hold, or reproduced: `derived` is computed from other printed numbers. Only rounding is allowed for: of the number, and of
 * those (the band of `derived`). */
enum verdict verdict_of_arithmetic(const struct published *, const struct figure *derived,
                                   char reason[VERDICT_REASON_BYTES]);

#endif
