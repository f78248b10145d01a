/* SPDX-License-Identifier: Apache-2.0 */
/* Command-line options: a table for each command, which the parser and --help use. */
#ifndef TANDEM_CLI_OPTIONS_H
#define TANDEM_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct err;

enum { CLI_LIST_MAX = 32 };

/* An option that may be given several times. */
struct cli_list {
  const char *text[CLI_LIST_MAX];
  unsigned n;
};

enum cli_kind { CLI_FLAG /* bool */, CLI_TEXT /* const char * */, CLI_NUMBER /* int64_t */, CLI_LIST /* cli_list */ };

struct cli_option {
  const char *name; /* "--seed", or "-c" */
  enum cli_kind kind;
  void *target;
  const char *value; /* name of the value in --help */
  const char *sentence;
  int64_t min, max; /* of a number */
};

struct cli_command {
  const char *name, *brief;
  const char *usage;                /* after "tandem NAME " */
  const char *example;              /* a whole command line that works */
  const struct cli_option *options; /* NULL-name terminated */
  unsigned positional_min, positional_max;
};

/* Parses argv[1..] of a command. Positional arguments go to `positional` (room for positional_max). *help is set when the
 * command printed its --help and is done. Errors (ERR_USAGE) name the option and the nearest one. "--name=value" and
 * "--name value" are the same. */
int cli_parse(const struct cli_command *, int argc, char **argv, const char **positional, unsigned *n_positional,
              bool *help, struct err *);

/* Prints "tandem COMMAND: sentence" and returns the exit code of the error. */
int cli_fail(const char *command, const struct err *);

#endif
