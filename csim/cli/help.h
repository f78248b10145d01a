/* SPDX-License-Identifier: Apache-2.0 */
/* Help of a command from its table of options: as text, as a man page, as Markdown for the reference, as bash completion. */
#ifndef TANDEM_CLI_HELP_H
#define TANDEM_CLI_HELP_H

#include "cli/option_table.h"

#include <stdbool.h>

enum help_form { HELP_TEXT, HELP_MAN, HELP_MARKDOWN, HELP_COMPLETION };

/* Is `argument` -h, --help or --help=FORM (man, markdown, completion)? */
bool help_asked(const char *argument, enum help_form *);
void help_print(const struct cli_command *, enum help_form);

/* The same of the program as a whole. `run` prints the part of command `index` by calling it with --help=FORM. */
struct help_program {
  const char *brief, *example;
  unsigned n_commands;
  const char *(*name)(unsigned index), *(*summary)(unsigned index);
  void (*part)(unsigned index, const char *form);
};
void help_print_program(const struct help_program *, enum help_form);

#endif
