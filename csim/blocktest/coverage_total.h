/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage of several stimuli and parameter sets, merged by block and point; its report and its file. */
#ifndef TANDEM_BLOCKTEST_COVERAGE_TOTAL_H
#define TANDEM_BLOCKTEST_COVERAGE_TOTAL_H

#include "blocktest/coverage.h"

#include <jansson.h>
#include <stdio.h>

#define COVERAGE_FILE "coverage.json" /* in the output folder */

/* Counts of one block's points: how often, where first, or why never. */
struct coverage_summary {
  unsigned points, hit;        /* points that a run should reach, and those of them that one did */
  unsigned never, false_never; /* points that no run should reach; those of them that one did */
  uint64_t cycles;
};

/* A total is a JSON object as the file has it (configs/schemas/coverage.json). NULL: out of memory. */
json_t *coverage_total_new(void);
/* Adds what was counted; `origin` says of what, for example "seed 1". */
void coverage_total_add(json_t *total, struct coverage *, const char *name, const char *parameters, const char *origin);
/* Adds counts of the RTL (dpi_coverage()). */
void coverage_total_add_rtl(json_t *total, const json_t *rtl);
/* Adds another total. */
void coverage_total_merge(json_t *total, const json_t *other);
struct coverage_summary coverage_summarise(const json_t *total, const char *block);
/* Prints the report of each block; `all`: also the points that were hit. */
void coverage_print(const json_t *total, bool all, FILE *);
/* Whether a point was reached that its owner says no run can reach. */
bool coverage_has_faults(const json_t *total);
int coverage_write(const json_t *total, const char *dir, struct err *);
/* Reads a file, or the file of a folder. ERR_SYNTAX: it is none of these. The caller frees *total. */
int coverage_read(const char *name, json_t **total, struct err *);

#endif
