/* SPDX-License-Identifier: Apache-2.0 */
/* A claim as a strip of SVG: the published number, what counts as holding, the default, and every combination of open choices. */
#ifndef TANDEM_CLAIMS_STRIP_H
#define TANDEM_CLAIMS_STRIP_H

#include <stdio.h>

struct claim;

enum { STRIP_WIDTH = 300, STRIP_HEIGHT = 34 };

/* Writes an <svg> element of that size with its left upper corner at x, y (0, 0 in HTML). Nothing if the claim has no value. */
void strip_draw(FILE *, const struct claim *, double x, double y);

#endif
