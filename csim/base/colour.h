/* SPDX-License-Identifier: Apache-2.0 */
/* Colour of a verdict on a terminal. Nowhere else: in a pipe or a file, with NO_COLOR set (no-color.org) or TERM=dumb, the text stays
 * plain. */
#ifndef TANDEM_BASE_COLOUR_H
#define TANDEM_BASE_COLOUR_H

#include <stdio.h>

enum colour { COLOUR_GOOD, COLOUR_BAD, COLOUR_OPEN }; /* green, red, yellow */

/* What to print before and after the text; "" where there is no colour. */
const char *colour_on(FILE *, enum colour);
const char *colour_off(FILE *);

#endif
