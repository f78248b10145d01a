/* SPDX-License-Identifier: Apache-2.0 */
#include "synth/timing.h"

#include "base/err.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const timing_names[] = {
#define X(kind, name) name,
  TIMING_PATHS(X)
#undef X
    NULL};

struct reader {
  struct timing_path *paths, *path;
  double unit_ns, period;
  char launch[TIMING_NAME_BYTES]; /* instance or port that the path leaves */
  bool done, arrived;             /* arrived: the rest of the section is about the capturing edge */
};

static void name_after(const char *line, const char *label, char *out) {
  const char *at = line + strlen(label);
  while (*at == ' ') at++;
  snprintf(out, TIMING_NAME_BYTES, "%.*s", (int)strcspn(at, " \n"), at);
}

/* "   0.31    1.02 ^ _123_/Y (NAND2X1)": delay, time, edge, pin, cell. */
static void read_stage(struct reader *r, const char *line) {
  double delay, at;
  char edge, pin[TIMING_NAME_BYTES], cell[64];
  if (sscanf(line, "%lf %lf %c %159s (%63[^)])", &delay, &at, &edge, pin, cell) != 5) return;
  if ((edge != '^' && edge != 'v') || !strcmp(cell, "in") || !strcmp(cell, "out") || !strcmp(cell, "inout")) return;
  char *slash = strrchr(pin, '/');
  if (!slash) return;
  *slash = 0;
  struct timing_path *p = r->path;
  /* the registers at both ends are not counted as stages */
  if (!strcmp(pin, p->from) || !strcmp(pin, p->to)) return;
  if (p->n_stages < TIMING_STAGES_MAX) {
    struct timing_stage *s = &p->stages[p->n_stages];
    memcpy(s->instance, pin, sizeof s->instance);
    memcpy(s->cell, cell, sizeof s->cell);
    s->delay = delay * r->unit_ns;
  }
  p->n_stages++;
}

static int read_line(struct reader *r, const char *line, struct err *e) {
  double slack;
  if (!strncmp(line, "Error", 5)) return err_set(e, ERR_TOOL, "OpenSTA: %.*s", (int)strcspn(line, "\n"), line);
  if (!strncmp(line, "== ", 3)) {
    char name[TIMING_NAME_BYTES];
    name_after(line, "==", name);
    r->done |= !strcmp(name, "done");
    r->path = NULL;
    for (int k = 0; k < TIMING_KINDS; k++)
      if (!strcmp(name, timing_names[k])) r->path = &r->paths[k];
    r->arrived = false;
    return 0;
  }
  if (!r->path) return 0;
  if (!strncmp(line, "Startpoint:", 11)) name_after(line, "Startpoint:", r->path->from);
  else if (!strncmp(line, "Endpoint:", 9)) name_after(line, "Endpoint:", r->path->to);
  else if (strstr(line, "data arrival time")) r->arrived = true;
  else if (strstr(line, "slack (") && sscanf(line, "%lf", &slack) == 1) {
    r->path->there = true;
    r->path->delay = (r->period - slack) * r->unit_ns;
  } else if (!r->arrived) read_stage(r, line);
  return 0;
}

int timing_read(const char *report, double unit_ns, double period, struct timing_path paths[TIMING_KINDS],
                struct err *e) {
  struct reader r = {.paths = paths, .unit_ns = unit_ns, .period = period};
  char line[1024];
  memset(paths, 0, TIMING_KINDS * sizeof *paths);
  FILE *f = fopen(report, "r");
  if (!f) return err_set(e, ERR_TOOL, "OpenSTA left no report at %s: %s", report, strerror(errno));
  int status = 0;
  while (!status && fgets(line, sizeof line, f)) status = read_line(&r, line, e);
  fclose(f);
  if (!status && !r.done) status = err_set(e, ERR_TOOL, "OpenSTA stopped before the end of its script; see %s", report);
  return status;
}
