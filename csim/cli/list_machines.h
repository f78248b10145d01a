/* SPDX-License-Identifier: Apache-2.0 */
/* What tandem list says of machines. */
#ifndef TANDEM_CLI_LIST_MACHINES_H
#define TANDEM_CLI_LIST_MACHINES_H

#include <jansson.h>

struct err;

/* Appends a row for each machine of the configuration folder; `only` not NULL: a row for each parameter of that machine (a
 * name or a path), with its value. Errors: as machine_load, or the folder cannot be read. */
int list_machine_rows(json_t *rows, const char *only, struct err *);
/* Prints what follows the first line of a machine's row. */
void list_machine_print(const json_t *row);

#endif
