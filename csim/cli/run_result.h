/* SPDX-License-Identifier: Apache-2.0 */
/* After a run: adds the verdict to run.json and prints a summary. */
#ifndef TANDEM_CLI_RUN_RESULT_H
#define TANDEM_CLI_RUN_RESULT_H

#include <stdbool.h>

struct err;

/* A run that has ended. */
struct run_end {
  const char *dir; /* with run.json */
  int exit_status; /* of the program, or 128 + signal */
  bool own;        /* the user's own program: its exit status is the command's, and standard output is left to it */
  bool json, profile, kernels;
};

/* The further processes of a program, whose exit status nobody knows: adds the verdict to each run.json and prints a line. A divergence
 * or deadlock of one becomes the command's *exit_code. */
int run_result_finish_processes(const struct run_end *, int *exit_code, struct err *);

/* Adds the verdict to run.json, prints the summary. *exit_code: 0 pass, 1 wrong result, divergence or fault of the simulated
 * program, 2 bad input, 3 deadlock or crash. Of the user's own program it is what that ended with, unless it was refused (2),
 * diverged (1), deadlocked or crashed (3). *refused: bad input, so that there is no result. */
int run_result_finish(const struct run_end *, int *exit_code, bool *refused, struct err *);

#endif
