/* SPDX-License-Identifier: Apache-2.0 */
/* What a measured number says about a published one, and the verdict over all that the source leaves open. */
#ifndef TANDEM_CLAIMS_VERDICT_H
#define TANDEM_CLAIMS_VERDICT_H

#include "measure/expression.h"

/* One measurement against the published number. */
enum outcome {
  OUTCOME_HOLDS,     /* within the tolerance, or beyond the bound */
  OUTCOME_DIRECTION, /* not that, but on the published side of `neutral` */
  OUTCOME_FAILS,
  OUTCOME_BAND, /* our own band is partly inside and partly outside */
  OUTCOME_NONE, /* nothing could be measured: the expression has no value */
  OUTCOMES
};

enum verdict {
  VERDICT_REPRODUCED,     /* it holds by default and in nine tenths of the combinations of open choices */
  VERDICT_DIRECTION_ONLY, /* it holds in at most a tenth, but its sign in nine tenths */
  VERDICT_NOT_REPRODUCED, /* it holds in at most a tenth */
  VERDICT_UNDETERMINED,   /* an open choice, or our own band, decides */
  VERDICT_CANNOT_HOLD,    /* other numbers of the same paper exclude it */
  VERDICT_NOT_TESTED,     /* a policy of ours stands in for one that the source does not describe */
  VERDICT_STALE,          /* the hardware is not the one that passed lockstep and proof */
  VERDICT_PARAMETER,      /* the row restates an input, or its number chose a default */
  VERDICTS
};
extern const char *const verdict_names[VERDICTS];

/* A number, a range, or a strict bound ("> 40", "<= 0.1"). */
enum bound { BOUND_NONE, BOUND_ABOVE, BOUND_AT_LEAST, BOUND_BELOW, BOUND_AT_MOST };

struct published {
  enum bound bound;
  double low, high;  /* as printed; equal for one number and for a bound */
  double half_digit; /* half of the last printed digit: the largest error of rounding; not used for a bound */
  double
    tolerance; /* part of the effect |published - neutral|, without a neutral value of the number: 0.1, ten per cent */
  bool has_neutral; /* `neutral` is the value of no effect: 1 for a speed-up, 0 for a change */
  double neutral;
};

/* Half of the last digit of a number as it is printed ("1.36": 0.005; "7": 0.5; "1e3": 0.5). */
double published_half_digit(const char *text);
/* Reads "1.36", "2.15..2.29", "> 40". False: it is none of these; *why says so. */
bool published_read(const char *text, struct published *, const char **why);
/* The accepted range; -INFINITY and INFINITY at the open side of a bound. */
void published_accepted(const struct published *, double *low, double *high);

enum { VERDICT_REASON_BYTES = 320 };

/* `reason`: a sentence with both numbers; NULL: none wanted. */
enum outcome outcome_of(const struct published *, const struct figure *ours, char reason[VERDICT_REASON_BYTES]);
/* HOLDS or FAILS: `derived` is computed from other printed numbers. Only rounding is allowed for: of the number, and of those
 * (the band of `derived`). */
enum outcome outcome_of_arithmetic(const struct published *, const struct figure *derived,
                                   char reason[VERDICT_REASON_BYTES]);

/* How a claim does over the combinations of open choices: `n` were measured, `holds` of them hold, `sign` of them hold or have
 * the published sign. n = 0: only the default was measured. */
struct tally {
  unsigned n, holds, sign;
  bool
    sizes_decide; /* by default it holds in full size and not in the smaller sizes of the combinations, or the reverse */
};
enum verdict verdict_over(enum outcome by_default, const struct tally *);

#endif
