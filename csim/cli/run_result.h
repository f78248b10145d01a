/* SPDX-License-Identifier: Apache-2.0 */
/* After a run: adds the verdict to run.json and prints a summary. */
#ifndef TANDEM_CLI_RUN_RESULT_H
#define TANDEM_CLI_RUN_RESULT_H

#include <stdbool.h>

struct err;

/* Reads dir/run.json, adds the verdict, prints the summary. *exit_code: 0 pass, 1 wrong result, divergence or fault of the
 * simulated program, 2 bad input, 3 deadlock or crash. */
int run_result_finish(const char *dir, int exit_status, bool json, bool profile, int *exit_code, struct err *);

#endif
