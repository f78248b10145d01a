/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/verdict.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const verdict_names[VERDICTS] = {"reproduced", "direction only", "not reproduced", "cannot hold", "stale"};

double published_half_digit(const char *text) {
  const char *point = strchr(text, '.'), *at = point ? point + 1 : NULL;
  double digit = 1;
  while (at && isdigit((unsigned char)*at)) {
    digit /= 10;
    at++;
  }
  return digit / 2;
}

static void put_range(char *out, size_t size, double low, double high) {
  if (low == high) snprintf(out, size, "%.6g", low);
  else snprintf(out, size, "%.6g to %.6g", low, high);
}

/* The accepted range: the published one, widened by rounding and tolerance. */
static void accepted(const struct published *p, double *low, double *high) {
  *low = p->low - p->half_digit - fabs(p->low) * p->tolerance;
  *high = p->high + p->half_digit + fabs(p->high) * p->tolerance;
}

enum verdict verdict_of(const struct published *p, const struct figure *ours, char reason[VERDICT_REASON_BYTES]) {
  double low, high;
  char printed[64], measured[64], range[64];
  accepted(p, &low, &high);
  put_range(printed, sizeof printed, p->low, p->high);
  put_range(measured, sizeof measured, ours->low, ours->high);
  put_range(range, sizeof range, low, high);
  if (ours->low <= high && ours->high >= low) {
    snprintf(reason, VERDICT_REASON_BYTES, "measured %s, accepted %s (published %s, within %.3g %%)", measured, range,
             printed, 100 * p->tolerance);
    return VERDICT_REPRODUCED;
  }
  double middle = (p->low + p->high) / 2, factor = middle != 0 ? ours->value / middle : 0;
  if (p->has_neutral && (ours->low - p->neutral) * (middle - p->neutral) > 0 &&
      (ours->high - p->neutral) * (middle - p->neutral) > 0) {
    snprintf(reason, VERDICT_REASON_BYTES, "measured %s, outside of %s, but on the same side of %.6g", measured, range,
             p->neutral);
    return VERDICT_DIRECTION_ONLY;
  }
  snprintf(reason, VERDICT_REASON_BYTES, "measured %s, outside of %s (%.3g times the published number)", measured,
           range, factor);
  return VERDICT_NOT_REPRODUCED;
}

enum verdict verdict_of_arithmetic(const struct published *p, const struct figure *derived,
                                   char reason[VERDICT_REASON_BYTES]) {
  double low = p->low - p->half_digit, high = p->high + p->half_digit;
  char printed[64], follows[64];
  put_range(printed, sizeof printed, p->low, p->high);
  put_range(follows, sizeof follows, derived->low, derived->high);
  bool holds = derived->low <= high && derived->high >= low;
  snprintf(reason, VERDICT_REASON_BYTES, "%s follows from the paper's other numbers, %s is printed", follows, printed);
  return holds ? VERDICT_REPRODUCED : VERDICT_CANNOT_HOLD;
}
