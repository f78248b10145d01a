/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of a result (synth_json): tables, ratios, plots. */
#ifndef TANDEM_SYNTH_REPORT_H
#define TANDEM_SYNTH_REPORT_H

#include <stdio.h>

struct json_t;
struct err;

/* Ratios of areas inside one library, each pair of rows once, in the order of the rows: an array of {of, to, library, area{median,
 * low, high}, verdict: "smaller", "no difference" or "larger"}. They need no scaling, so they come first. */
struct json_t *synth_ratios(const struct json_t *rows);

/* Prints the result as tables. */
void synth_print(FILE *, const struct json_t *rows);

/* The curve of a sweep over `parameter`: CSV, one line a row; and areas and clocks over the parameter with their bands, drawn by
 * gnuplot (ERR_USAGE: neither .svg nor .png; ERR_TOOL: gnuplot is missing or fails). */
int synth_csv(const struct json_t *rows, const char *parameter, const char *path, struct err *);
int synth_plot(const struct json_t *rows, const char *parameter, const char *path, struct err *);

#endif
