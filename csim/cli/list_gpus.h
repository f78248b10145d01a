/* SPDX-License-Identifier: Apache-2.0 */
/* GPU configurations, for tandem list. */
#ifndef TANDEM_CLI_LIST_GPUS_H
#define TANDEM_CLI_LIST_GPUS_H

#include <jansson.h>

struct err;

/* Appends a row for each GPU configuration in the configuration folder; with `only`, a name or a path, a row for each of its parameters.
 * Errors: as gpu_config_load, or the folder cannot be read. */
int list_gpu_rows(json_t *rows, const char *only, struct err *);
/* Prints the lines of a GPU configuration's row after the first. */
void list_gpu_print(const json_t *row);

#endif
