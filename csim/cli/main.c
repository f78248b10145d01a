/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"
#include "cli/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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

static void print_usage(FILE *f) {
  fprintf(
    f,
    "usage: tandem COMMAND ...\n\nCo-simulation of GPU memory-system proposals: Verilog blocks in a cycle-level C model of a GPU.\n\n");
  for (const struct command *c = commands; c->name; c++) fprintf(f, "  %-10s %s\n", c->name, c->brief);
  fprintf(
    f,
    "\ntandem COMMAND --help explains a command. Exit codes: 0 as asked, 1 a check failed, 2 bad input, 3 internal error.\n"
    "\nexample:\n  tandem run saxpy --system d2ma --engine 'sm*.d2ma.*=lockstep'\n");
}

/* Checks that standard output was written, for example to a disk with room. */
static int written(int status) {
  if (!fflush(stdout) && !ferror(stdout)) return status;
  fprintf(stderr, "tandem: cannot write standard output: %s\n", strerror(errno));
  return status ? status : 2;
}

int main(int argc, char **argv) {
  if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
    print_usage(argc < 2 ? stderr : stdout);
    return argc < 2 ? 2 : 0;
  }
  if (!strcmp(argv[1], "--version")) {
    printf("tandem %s\n", TANDEM_VERSION);
    return 0;
  }
  for (const struct command *c = commands; c->name; c++)
    if (!strcmp(c->name, argv[1])) return written(c->run(argc - 1, argv + 1));
  const char *near = text_nearest(argv[1], command_name, commands);
  fprintf(stderr, "tandem: no command '%s'%s%s%s; tandem --help lists them\n", argv[1], near ? "; did you mean " : "",
          near ? near : "", near ? "?" : "");
  return 2;
}
