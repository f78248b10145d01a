/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "cli/commands.h"
#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int check(const char *dir, char *save, size_t size, struct err *e) {
  char wave[1200];
  snprintf(wave, sizeof wave, "%s/wave.fst", dir);
  snprintf(save, size, "%s/wave.gtkw", dir);
  if (access(dir, F_OK)) return err_set(e, ERR_FILE, "there is no folder %s; name the --out folder of a run", dir);
  if (access(wave, R_OK) || access(save, R_OK))
    return err_set(e, ERR_FILE, "%s holds no wave.fst with wave.gtkw; run with --wave (or --wave=FROM:TO)", dir);
  return 0;
}

int cmd_wave(int argc, char **argv) {
  bool print = false;
  const struct cli_option options[] = {
    {"--print", CLI_FLAG, &print, NULL, "print the GTKWave command instead of running it", 0, 0}, {0}};
  const struct cli_command command = {
    .name = "wave",
    .brief = "Opens the wave of a run in GTKWave, with the signals arranged.",
    .usage = "DIR [--print]",
    .example = "tandem run saxpy:n=4096 --system d2ma --wave=0:2000 --out /tmp/w && tandem wave /tmp/w --print",
    .options = options,
    .positional_min = 1,
    .positional_max = 1};
  struct err e = {0};
  const char *dir;
  char save[1200];
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, &dir, &n, &help, &e);
  if (help) return 0;
  if (!status) status = check(dir, save, sizeof save, &e);
  if (status) return cli_fail("wave", &e);
  if (print) {
    printf("gtkwave %s\n", save);
    return 0;
  }
  execlp("gtkwave", "gtkwave", save, (char *)NULL);
  err_set(&e, ERR_TOOL, "cannot start gtkwave: %s; install the package gtkwave, or open %s elsewhere", strerror(errno),
          save);
  return cli_fail("wave", &e);
}
