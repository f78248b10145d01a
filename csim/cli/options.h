/* SPDX-License-Identifier: Apache-2.0 */
/* Command-line options: one table per command, which drives both the parser and the help. */
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
  const char *usage;                /* the text after "tandem NAME " */
  const char *example;              /* a complete command line that works; tests run it */
  const struct cli_option *options; /* NULL-name terminated */
  unsigned positional_min, positional_max;
};

/* Parses argv[1..] of a command. Positional arguments go to `positional` (room for positional_max). *help is set when the
 * help was printed and the command is done. Errors (ERR_USAGE) name the option and the nearest existing one. "--name=value" and
 * "--name value" are the same. */
int cli_parse(const struct cli_command *, int argc, char **argv, const char **positional, unsigned *n_positional,
              bool *help, struct err *);

/* Prints "tandem COMMAND: sentence" and returns the exit code of the error. */
int cli_fail(const char *command, const struct err *);

#endif
