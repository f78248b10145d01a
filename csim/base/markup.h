/* SPDX-License-Identifier: Apache-2.0 */
/* Text in HTML and SVG. */
#ifndef TANDEM_BASE_MARKUP_H
#define TANDEM_BASE_MARKUP_H

#include <stdio.h>

/* Writes text with <, >, & and " as entities. */
void markup_put(FILE *, const char *text);

#endif
