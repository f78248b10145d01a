/* SPDX-License-Identifier: Apache-2.0 */
/* What a divergence leaves besides the text: a page in HTML with the explanation, a timing diagram and a table of the last cycles; the diagram
 * as WaveJSON; the stimulus as a Verilog test bench. */
#ifndef TANDEM_DPI_DIVERGENCE_PAGE_H
#define TANDEM_DPI_DIVERGENCE_PAGE_H

#include "dpi.h"
#include "explain.h"

enum { TESTBENCH_ROWS_MAX = 20000 }; /* a longer stimulus gives no test bench: shrink it first */

/* `work`: lines about what the instance worked for, or NULL. Writes divergence.html, divergence.wave.json and divergence_tb.v into the folder. */
int divergence_page_write(const char *dir, const struct divergence *, const struct trail *, const struct explanation *,
                          const char *work, struct err *);

#endif
