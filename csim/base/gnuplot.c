/* SPDX-License-Identifier: Apache-2.0 */
#include "base/gnuplot.h"

#include "base/err.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *terminal_of(const char *path) {
  const char *dot = strrchr(path, '.');
  if (dot && !strcmp(dot, ".svg")) return "svg dynamic font 'sans-serif,13' background 'white'";
  if (dot && !strcmp(dot, ".png")) return "pngcairo font 'sans,11'";
  return NULL;
}

int gnuplot_start(struct gnuplot *g, const char *path, unsigned width, unsigned height, struct err *e) {
  const char *terminal = terminal_of(path);
  if (!terminal) return err_set(e, ERR_USAGE, "%s: a picture ends in .svg or .png", path);
  if (strpbrk(path, "'\n")) return err_set(e, ERR_USAGE, "%s: choose a name without quotes", path);
  snprintf(g->path, sizeof g->path, "%s", path);
  snprintf(g->part, sizeof g->part, "%s.part", path);
  FILE *probe = fopen(g->part, "w");
  if (!probe) return err_set(e, ERR_FILE, "cannot write %s: %s", g->part, strerror(errno));
  fclose(probe);
  g->in = system("command -v gnuplot >/dev/null 2>&1") ? NULL : popen("gnuplot", "w");
  if (!g->in) {
    unlink(g->part);
    return err_set(e, ERR_TOOL, "gnuplot is not on PATH; install the package gnuplot-nox");
  }
  fprintf(g->in, "set terminal %s size %u,%u\nset output '%s'\n", terminal, width, height, g->part);
  return 0;
}

int gnuplot_finish(struct gnuplot *g, struct err *e) {
  fprintf(g->in, "unset output\n");
  int status = pclose(g->in);
  g->in = NULL;
  if (status) {
    unlink(g->part);
    return err_set(e, ERR_TOOL, "gnuplot could not draw %s", g->path);
  }
  if (rename(g->part, g->path)) return err_set(e, ERR_FILE, "cannot write %s: %s", g->path, strerror(errno));
  return 0;
}
