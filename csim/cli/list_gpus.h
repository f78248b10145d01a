/* SPDX-License-Identifier: Apache-2.0 */
/* What tandem list says of GPU configurations. */
#ifndef TANDEM_CLI_LIST_GPUS_H
#define TANDEM_CLI_LIST_GPUS_H

#include <jansson.h>

struct err;

/* Appends a row for each GPU configuration of the configuration folder; `only` not NULL: a row for each parameter of that GPU configuration (a
 * name or a path), with its value. Errors: as machine_load, or the folder cannot be read. */
int list_gpu_rows(json_t *rows, const char *only, struct err *);
/* Prints what follows the first line of a GPU configuration's row. */
void list_gpu_print(const json_t *row);

#endif
