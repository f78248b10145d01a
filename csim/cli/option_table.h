/* SPDX-License-Identifier: Apache-2.0 */
/* The table of a command's options, from which come the parser (cli/options.h) and every form of help (cli/help.h). */
#ifndef TANDEM_CLI_OPTION_TABLE_H
#define TANDEM_CLI_OPTION_TABLE_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
