/* SPDX-License-Identifier: Apache-2.0 */
/* Other programs: finding them, running them with a log, running several side by side. */
#ifndef TANDEM_BASE_PROCESS_H
#define TANDEM_BASE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct stat;

/* Finds a tool on PATH; its size and time serve as its version (asking it would start a process). */
bool process_find_tool(const char *name, char *out, size_t size, struct stat *);

/* The path of the running program's own file; ERR_FILE if the host does not provide it. */
int process_own_path(char *out, size_t size, struct err *);

/* mkdir -p; the message of ERR_FILE ends with `mend`. */
int process_make_folders(const char *path, const char *mend, struct err *);

/* Removes a folder that has files alone; what cannot be removed stays. */
void process_remove_folder(const char *path);

/* Runs `sh -c command` with its output appended to the file `log`. ERR_TOOL "WHAT failed (full log: LOG): the log's
 * end" when it cannot be run or its exit status is not 0. */
int process_shell(const char *command, const char *log, const char *what, struct err *);

/* The last bytes of a file, 0-terminated; "" when it cannot be read. */
void process_log_tail(const char *log, char *out, size_t size);

/* Runs `n` shell commands, at most `width` at a time; command_of(context, i) names the next one as it is started,
 * finished(context, i, exit_code) is called as each one ends (-1: by a signal), in any order. The first status other than 0 of either stops
 * the starting of further ones; those that run are waited for. Returns that status. */
struct process_pool {
  size_t n, width;
  void *context;
  int (*command_of)(void *context, size_t i, char *command, size_t size, struct err *);
  int (*finished)(void *context, size_t i, int exit_code, struct err *);
};
int process_pool_run(const struct process_pool *, struct err *);

#endif
