/* SPDX-License-Identifier: Apache-2.0 */
/* Text in HTML, SVG and XML. */
#ifndef TANDEM_BASE_MARKUP_H
#define TANDEM_BASE_MARKUP_H

#include <stdio.h>

/* Writes text with <, >, & and " as entities. Control characters, which XML does not allow, become blanks; line ends and tabs stay. */
void markup_put(FILE *, const char *text);

#endif
