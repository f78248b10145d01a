/* SPDX-License-Identifier: Apache-2.0 */
/* The part of `tandem list` about GPU configurations. */
#ifndef TANDEM_CLI_LIST_GPUS_H
#define TANDEM_CLI_LIST_GPUS_H

#include <jansson.h>

struct err;

/* Appends a row for each GPU configuration in the configuration folder or, if `only` is not NULL, a row for each parameter of that
 * configuration (a name or a path), with its value. Errors: those of gpu_config_load, or the folder cannot be read. */
int list_gpu_rows(json_t *rows, const char *only, struct err *);
/* Prints the lines below the first line of a GPU configuration. */
void list_gpu_print(const json_t *row);

#endif
