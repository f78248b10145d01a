/* SPDX-License-Identifier: Apache-2.0 */
/* The part of `tandem list` about the routines of assist warps. */
#ifndef TANDEM_CLI_LIST_ROUTINES_H
#define TANDEM_CLI_LIST_ROUTINES_H

#include <jansson.h>

struct err;

/* Appends a row for each routine of a file, or with NULL of those that Tandem brings along. Errors: those of assembling. */
int list_routine_rows(json_t *rows, const char *file, struct err *);
void list_routine_print(const json_t *rows);

#endif
