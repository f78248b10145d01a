/* SPDX-License-Identifier: Apache-2.0 */
/* Command-line options: one table per command, which drives both the parser and the help. */
#ifndef TANDEM_CLI_OPTIONS_H
#define TANDEM_CLI_OPTIONS_H

#include "cli/option_table.h"

struct err;

/* Parses argv[1..] of a command. Positional arguments go to `positional` (room for positional_max). *help is set when the
 * help was printed and the command is done. Errors (ERR_USAGE) name the option and the nearest existing one. "--name=value" and
 * "--name value" are the same. */
int cli_parse(const struct cli_command *, int argc, char **argv, const char **positional, unsigned *n_positional,
              bool *help, struct err *);

/* Prints "tandem COMMAND: sentence" and returns the exit code of the error. */
int cli_fail(const char *command, const struct err *);

#endif
