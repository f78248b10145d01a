/* SPDX-License-Identifier: Apache-2.0 */
/* Several processes may ask for the same run at once. One simulates; the others wait, and use its result. */
#ifndef TANDEM_CLI_RUN_ONCE_H
#define TANDEM_CLI_RUN_ONCE_H

#include <stdbool.h>

struct err;

/* Locks OUT.lock, where `out` is the output folder. Waits while another process holds the lock; this process holds it until it ends.
 * *passed: the folder holds the result of a run that passed. ERR_FILE: the lock cannot be made. */
int run_once(const char *out, bool *passed, struct err *e);

#endif
