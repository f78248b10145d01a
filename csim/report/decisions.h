/* SPDX-License-Identifier: Apache-2.0 */
/* What a proposal's driver has decided for each launch of a program (TANDEM_DECISIONS), here of the Locality Descriptor's
 * (systems/ldesc/decision.c): clusters of CTAs, rows of the policy table, zones of structures. */
#ifndef TANDEM_REPORT_DECISIONS_H
#define TANDEM_REPORT_DECISIONS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct err;

/* Reads the file; launches in a row with equal decisions are one, whose "times" count them and whose "microseconds" and "moved_bytes" are
 * the first's. NULL: *e says why; ERR_FILE: there is no such file, or a line of it is none. */
json_t *decisions_load(const char *path, struct err *);
void decisions_print(const json_t *launches, FILE *);
/* {"schema", "program", "launches"}; takes the launches. */
void decisions_print_json(const char *program, json_t *launches, FILE *);

#endif
