/* SPDX-License-Identifier: Apache-2.0 */
/* What tandem mutants --random prints. */
#ifndef TANDEM_CLI_MUTANTS_TABLE_H
#define TANDEM_CLI_MUTANTS_TABLE_H

#include <jansson.h>
#include <stdio.h>

/* Prints kills by method and the survivors of a report (configs/schemas/random-mutants.json) on `f`, unless NULL; adds `summary` to the
 * report. Returns the number of survivors that are not proved equivalent. */
unsigned mutants_table(json_t *report, FILE *f);

#endif
