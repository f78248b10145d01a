/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic over measured figures: + - * / ( ), comparisons < <= > >= == (1 or 0, lowest precedence), numbers, names, and
 * the functions min max mean geomean hmean sum of any number of arguments, abs(x), corr(x1, y1, x2, y2, ...): correlation of pairs,
 * regret(x1, y1, x2, y2, ...): of pairs of times, whose x is within 5 % of the fastest, the largest loss of y's best performance.
 * A name is letters, digits, _ and dots ("d2ma.sm.cycles"). A figure is a value with a band; the band of the result covers
 * the results for all values inside the names' bands. */
#ifndef TANDEM_MEASURE_EXPRESSION_H
#define TANDEM_MEASURE_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

struct err;

struct figure {
  double value, low, high; /* low <= value <= high */
};

enum { EXPRESSION_NAMES_MAX = 8192, EXPRESSION_BANDS_MAX = 12, EXPRESSION_NAME_BYTES = 128 };

/* Looks up the figure of a name; the error says which names exist. */
typedef int expression_lookup(void *context, const char *name, struct figure *, struct err *);

/* `place` (file:line) begins the error's sentence. Errors: ERR_SYNTAX for the text, ERR_VALUE for a division by zero, a
 * mean of numbers that are not positive and the like - then the value is NAN -, more names or bands than the limits; what
 * lookup returns. */
int expression_evaluate(const char *text, const char *place, expression_lookup *, void *context, struct figure *,
                        struct err *);

/* Evaluates one of the functions; NAN: the result is undefined, or there is no such function. */
double expression_function(const char *name, const double *values, unsigned n);

#endif
