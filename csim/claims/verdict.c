/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/verdict.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const verdict_names[VERDICTS] = {"reproduced",  "direction only", "not reproduced", "undetermined",
                                             "cannot hold", "not tested",     "stale",          "parameter"};

/* ---- the published number ---- */

double published_half_digit(const char *text) {
  const char *point = strchr(text, '.'), *at = point ? point + 1 : NULL;
  double digit = 1;
  while (at && isdigit((unsigned char)*at)) {
    digit /= 10;
    at++;
  }
  return digit / 2;
}

static bool read_number(const char *text, double *out) {
  char *end;
  errno = 0;
  *out = strtod(text, &end);
  return end != text && !*end && !errno && isfinite(*out);
}

static const char *read_bound(const char *text, enum bound *bound) {
  bool equal = (*text == '<' || *text == '>') && text[1] == '=';
  *bound = BOUND_NONE;
  if (*text == '>') *bound = equal ? BOUND_AT_LEAST : BOUND_ABOVE;
  if (*text == '<') *bound = equal ? BOUND_AT_MOST : BOUND_BELOW;
  if (*bound == BOUND_NONE) return text;
  text += equal ? 2 : 1;
  return text + strspn(text, " ");
}

bool published_read(const char *text, struct published *p, const char **why) {
  char first[64];
  const char *number = read_bound(text, &p->bound), *dots = strstr(number, "..");
  size_t length = dots ? (size_t)(dots - number) : strlen(number);
  snprintf(first, sizeof first, "%.*s", (int)(length < sizeof first ? length : sizeof first - 1), number);
  *why = "is no number, range LOW..HIGH or bound (\"> 40\", \"<= 0.1\")";
  if (!read_number(first, &p->low) || (dots && p->bound != BOUND_NONE)) return false;
  p->high = p->low;
  p->half_digit = published_half_digit(first);
  if (dots && !read_number(dots + 2, &p->high)) return false;
  *why = "is an empty range; write LOW..HIGH";
  return p->high >= p->low;
}

/* How far a measured number may be from the published number `at`. */
static double slack(const struct published *p, double at) {
  double effect = fabs(at - (p->has_neutral ? p->neutral : 0));
  return fmax(p->tolerance * effect, p->half_digit);
}

void published_accepted(const struct published *p, double *low, double *high) {
  *low = p->bound == BOUND_NONE ? p->low - slack(p, p->low) : p->low;
  *high = p->bound == BOUND_NONE ? p->high + slack(p, p->high) : p->high;
  if (p->bound == BOUND_ABOVE || p->bound == BOUND_AT_LEAST) *high = INFINITY;
  if (p->bound == BOUND_BELOW || p->bound == BOUND_AT_MOST) *low = -INFINITY;
}

/* ---- one measurement ---- */

static void put_range(char *out, size_t size, double low, double high) {
  if (low == high) snprintf(out, size, "%.6g", low);
  else if (isinf(high)) snprintf(out, size, "above %.6g", low);
  else if (isinf(low)) snprintf(out, size, "below %.6g", high);
  else snprintf(out, size, "%.6g to %.6g", low, high);
}

static bool accepts(const struct published *p, double value) {
  double low, high;
  published_accepted(p, &low, &high);
  if (p->bound == BOUND_ABOVE) return value > low;
  if (p->bound == BOUND_BELOW) return value < high;
  return value >= low && value <= high;
}

/* The rounding of an expression is no effect: 100 - 100 * a / a may be 1e-14. */
static bool on_published_side(const struct published *p, double value) {
  double side = (p->low + p->high) / 2 - p->neutral, ours = value - p->neutral;
  return p->has_neutral && ours * side > 0 && fabs(ours) > 1e-9 * fabs(side);
}

enum outcome outcome_of(const struct published *p, const struct figure *ours, char reason[VERDICT_REASON_BYTES]) {
  static const char *const ends[OUTCOMES] = {"holds", "outside, but on the published side of no effect", "outside",
                                             "our band is partly inside", "no value"};
  double low, high;
  char measured[64], range[64];
  enum outcome result;
  published_accepted(p, &low, &high);
  bool first = accepts(p, ours->low), last = accepts(p, ours->high);
  if (isnan(ours->value)) result = OUTCOME_NONE;
  else if (first && last) result = OUTCOME_HOLDS;
  else if (first || last || (ours->low < low && ours->high > high)) result = OUTCOME_BAND;
  else if (on_published_side(p, ours->low) && on_published_side(p, ours->high)) result = OUTCOME_DIRECTION;
  else result = OUTCOME_FAILS;
  put_range(measured, sizeof measured, ours->low, ours->high);
  put_range(range, sizeof range, low, high);
  if (reason) snprintf(reason, VERDICT_REASON_BYTES, "measured %s, accepted %s: %s", measured, range, ends[result]);
  return result;
}

enum outcome outcome_of_arithmetic(const struct published *p, const struct figure *derived,
                                   char reason[VERDICT_REASON_BYTES]) {
  struct published rounded = *p;
  char printed[64], follows[64];
  rounded.tolerance = 0;
  double low, high;
  published_accepted(&rounded, &low, &high);
  put_range(printed, sizeof printed, low, high);
  put_range(follows, sizeof follows, derived->low, derived->high);
  bool holds = derived->low <= high && derived->high >= low;
  if (reason)
    snprintf(reason, VERDICT_REASON_BYTES, "%s follows from the paper's other numbers, printed is %s", follows,
             printed);
  return holds ? OUTCOME_HOLDS : OUTCOME_FAILS;
}

/* ---- all combinations ---- */

enum verdict verdict_over(enum outcome by_default, const struct tally *t) {
  static const enum verdict alone[OUTCOMES] = {VERDICT_REPRODUCED, VERDICT_DIRECTION_ONLY, VERDICT_NOT_REPRODUCED,
                                               VERDICT_UNDETERMINED, VERDICT_NOT_REPRODUCED};
  if (by_default == OUTCOME_BAND || !t->n) return alone[by_default];
  if (t->sizes_decide) return VERDICT_UNDETERMINED;
  if (10 * t->holds >= 9 * t->n) return by_default == OUTCOME_HOLDS ? VERDICT_REPRODUCED : VERDICT_UNDETERMINED;
  if (10 * t->holds > t->n) return VERDICT_UNDETERMINED;
  return 10 * t->sign >= 9 * t->n ? VERDICT_DIRECTION_ONLY : VERDICT_NOT_REPRODUCED;
}
