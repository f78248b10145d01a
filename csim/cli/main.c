/* SPDX-License-Identifier: Apache-2.0 */
#include "base/host_clock.h"
#include "base/log.h"
#include "base/place.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/help.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct command {
  const char *name, *brief;
  int (*run)(int argc, char **argv);
} commands[] = {
#define X(name, brief) {#name, brief, cmd_##name},
  CLI_COMMANDS(X)
#undef X
#define X(name, spelled, brief) {spelled, brief, cmd_##name},
    CLI_DASHED_COMMANDS(X)
#undef X
      {NULL, NULL, NULL}};

static const char *command_name(const void *list, unsigned i) { return ((const struct command *)list)[i].name; }

static const char *name(unsigned i) { return commands[i].name; }
static const char *summary(unsigned i) { return commands[i].brief; }
static void part(unsigned i, const char *form) {
  char text[32];
  snprintf(text, sizeof text, "%s", form);
  commands[i].run(2, (char *[]){"", text, NULL});
}

static const struct help_program program = {
  .brief = "Co-simulation of GPU memory-system proposals: Verilog blocks in a cycle-level C model of a GPU.",
  .example = "tandem run saxpy --system d2ma --engine 'sm*.d2ma.*=lockstep'",
  .n_commands = sizeof commands / sizeof *commands - 1,
  .name = name,
  .summary = summary,
  .part = part};

/* Failing to write the output, for example to a full disk, is an error. */
static int written(int status) {
  if (!fflush(stdout) && !ferror(stdout)) return status;
  fprintf(stderr, "tandem: cannot write standard output: %s\n", strerror(errno));
  return status ? status : 2;
}

/* Runs the command, between two lines of the log. */
static int run(const struct command *c, int argc, char **argv) {
  char text[4096] = "";
  size_t n = 0;
  for (int i = 0; i < argc && n < sizeof text; i++) n += (size_t)snprintf(text + n, sizeof text - n, " %s", argv[i]);
  double start = host_seconds();
  log_line("tandem %s:%s", place_version(), text);
  int status = written(c->run(argc, argv));
  log_line("exit code %d after %.1f s:%s", status, host_seconds() - start, text);
  return status;
}

/* "--log FILE" before the command. False: the file cannot be written. */
static bool log_option(int *argc, char ***argv) {
  if (*argc < 2 || strcmp((*argv)[1], "--log") != 0) return true;
  FILE *f = *argc > 2 ? fopen((*argv)[2], "a") : NULL;
  if (!f) {
    if (*argc > 2) fprintf(stderr, "tandem: --log %s: %s\n", (*argv)[2], strerror(errno));
    else fprintf(stderr, "tandem: --log needs a file: tandem --log FILE COMMAND ...\n");
    return false;
  }
  fclose(f);
  char *absolute = realpath((*argv)[2], NULL);
  setenv("TANDEM_LOG", absolute ? absolute : (*argv)[2], 1);
  free(absolute);
  (*argv)[2] = (*argv)[0];
  *argv += 2;
  *argc -= 2;
  return true;
}

int main(int argc, char **argv) {
  enum help_form form = HELP_TEXT;
  if (!log_option(&argc, &argv)) return 2;
  if (argc < 2 || help_asked(argv[1], &form)) {
    if (argc < 2) dup2(STDERR_FILENO, STDOUT_FILENO);
    help_print_program(&program, form);
    return written(argc < 2 ? 2 : 0);
  }
  if (!strcmp(argv[1], "--version")) {
    printf("tandem %s\n", place_version());
    return 0;
  }
  if (!strcmp(argv[1], "help")) { /* tandem help [COMMAND] */
    char option[] = "--help";
    if (argc > 2 && strcmp(argv[2], "help") != 0) return main(3, (char *[]){argv[0], argv[2], option, NULL});
    return main(2, (char *[]){argv[0], option, NULL});
  }
  for (const struct command *c = commands; c->name; c++)
    if (!strcmp(c->name, argv[1])) return run(c, argc - 1, argv + 1);
  const char *near = text_nearest(argv[1], command_name, commands);
  fprintf(stderr, "tandem: no command '%s'%s%s%s; tandem --help lists them\n", argv[1], near ? "; did you mean " : "",
          near ? near : "", near ? "?" : "");
  return 2;
}
