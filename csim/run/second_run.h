/* SPDX-License-Identifier: Apache-2.0 */
/* A second process with the program and the arguments of this one. */
#ifndef TANDEM_RUN_SECOND_RUN_H
#define TANDEM_RUN_SECOND_RUN_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether this program is a workload of the list, which changes nothing on the host, so that it can run twice. */
bool second_run_allowed(void);

/* Starts this program once more, with its arguments and environment, in which the `n` variables "NAME=VALUE" replace those of the same names.
 * Standard input, output and error of the second one are /dev/null; the file `keep` stays open. ERR_TOOL if it cannot be started. */
int second_run_start(const char *const *variables, size_t n, int keep, int *pid, struct err *);

#endif
