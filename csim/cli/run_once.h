/* SPDX-License-Identifier: Apache-2.0 */
/* One run for several who want it: processes that are given the same output folder take turns, and the second one finds the result of the
 * first. */
#ifndef TANDEM_CLI_RUN_ONCE_H
#define TANDEM_CLI_RUN_ONCE_H

#include <stdbool.h>

struct err;

/* Waits until no other process has the folder `out`, and keeps it until this process ends: a lock on OUT.lock. *passed: the folder holds
 * the result of a run that passed. ERR_FILE: the lock cannot be made. */
int run_once(const char *out, bool *passed, struct err *e);

#endif
