/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on one published number, computed from the number, ours and nothing else. */
#ifndef TANDEM_CLAIMS_VERDICT_H
#define TANDEM_CLAIMS_VERDICT_H

#include "measure/expression.h"

enum verdict {
  VERDICT_REPRODUCED,     /* our band meets the published range, widened by the claim's tolerance */
  VERDICT_DIRECTION_ONLY, /* it does not, but lies on the published side of `neutral` */
  VERDICT_NOT_REPRODUCED,
  VERDICT_CANNOT_HOLD, /* other numbers of the same paper exclude it */
  VERDICT_STALE,       /* what was measured is not what is there now */
  VERDICTS
};
extern const char *const verdict_names[VERDICTS];

struct published {
  double low, high;  /* as printed; equal for one number */
  double half_digit; /* half of the last printed digit: what rounding may hide */
  double tolerance;  /* relative, 0.1: ten per cent */
  bool has_neutral;  /* there is a value of no effect: 1 for a speed-up, 0 for a change */
  double neutral;
};

/* Half of the last digit of a number as it is printed ("1.36": 0.005; "7": 0.5; "1e3": 0.5). */
double published_half_digit(const char *text);

enum { VERDICT_REASON_BYTES = 320 };

/* One of the first three. `reason`: a sentence with both numbers. */
enum verdict verdict_of(const struct published *, const struct figure *ours, char reason[VERDICT_REASON_BYTES]);
/* Cannot hold, or reproduced: `derived` follows from other printed numbers, by arithmetic alone; only rounding is allowed
 * for, of the number and of what it is derived from (the figure's band). */
enum verdict verdict_of_arithmetic(const struct published *, const struct figure *derived,
                                   char reason[VERDICT_REASON_BYTES]);

#endif
