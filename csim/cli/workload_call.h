/* SPDX-License-Identifier: Apache-2.0 */
/* A workload as the command line names it, and its program. */
#ifndef TANDEM_CLI_WORKLOAD_CALL_H
#define TANDEM_CLI_WORKLOAD_CALL_H

#include <limits.h>
#include <stdbool.h>

struct err;

enum { WORKLOAD_ARGUMENTS_MAX = 32 };

struct workload_call {
  char name[128], program[PATH_MAX];
  char text[512];   /* key=value,... split at the commas */
  char version[64]; /* "version=..." */
  char *argv[WORKLOAD_ARGUMENTS_MAX + 3];
  int argc;
  bool own;            /* a program of the user's, no workload of the list */
  const char *preload; /* library in lib/tandem that is loaded before it, or "" */
};

/* "NAME:key=value,..." of a workload, or the path of an executable with the same arguments. Unless the text names a version
 * it is that of `system` (NULL: none), else the first. Errors: ERR_USAGE, ERR_VALUE, ERR_FILE if there is no program. */
int workload_call_parse(struct workload_call *, const char *text, const char *system, struct err *);

/* Adds the words that follow on the command line; only the user's own programs take them. */
int workload_call_arguments(struct workload_call *, unsigned n, const char *const *words, struct err *);

/* Runs the program until it ends; it ends with this process at the latest. Its standard output goes to the file `output`,
 * and its messages, too, unless that is standard output or standard error. *exit_status: its exit status, or 128 + signal. */
int workload_call_run(const struct workload_call *, int output, int *exit_status, struct err *);

#endif
