/* SPDX-License-Identifier: Apache-2.0 */
/* Plots a correlation. */
#include "base/err.h"
#include "base/gnuplot.h"
#include "report/correlate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Kernels have a colour each; those beyond share the last one. */
static const char *const colours[] = {"#377eb8", "#e41a1c", "#4daf4a", "#984ea3", "#ff7f00",
                                      "#a65628", "#f781bf", "#17becf", "#777777"};
enum { COLOURS = sizeof colours / sizeof *colours };

/* Text of a title, without gnuplot's own signs. */
static void put_name(FILE *f, const char *name) {
  for (; *name; name++) {
    if (strchr("_^{}@&", *name)) fputs("\\\\", f);
    if (*name != '"' && *name != '\\') fputc(*name, f);
  }
}

static bool drawn(const struct correlation *c, uint32_t i) {
  return c->pair[i].ours->value[c->metric] > 0 && c->pair[i].theirs->value[c->metric] > 0; /* false for NAN */
}

/* The colour of each pair's kernel: first come, first served. */
static void choose_colours(const struct correlation *c, uint32_t *colour) {
  uint32_t kernels = 0;
  for (uint32_t i = 0; i < c->n; i++) {
    uint32_t k = 0;
    while (strcmp(c->pair[k].ours->kernel, c->pair[i].ours->kernel) != 0) k++;
    colour[i] = k < i ? colour[k] : kernels < COLOURS - 1 ? kernels++ : COLOURS - 1;
  }
}

static void put_points(FILE *f, const struct correlation *c, const uint32_t *colour, uint32_t which) {
  fprintf(f, "$kernel%" PRIu32 " << END_OF_DATA\n", which);
  for (uint32_t i = 0; i < c->n; i++)
    if (colour[i] == which && drawn(c, i))
      fprintf(f, "%.9g %.9g\n", c->pair[i].theirs->value[c->metric], c->pair[i].ours->value[c->metric]);
  fprintf(f, "END_OF_DATA\n");
}

/* Both axes span the same values, so that the diagonal is the line of equality. */
static void put_axes(FILE *f, const struct correlation *c) {
  const struct kernel_metric *m = &kernel_metrics[c->metric];
  double low = INFINITY, high = 0;
  for (uint32_t i = 0; i < c->n; i++) {
    if (!drawn(c, i)) continue;
    low = fmin(low, fmin(c->pair[i].ours->value[c->metric], c->pair[i].theirs->value[c->metric]));
    high = fmax(high, fmax(c->pair[i].ours->value[c->metric], c->pair[i].theirs->value[c->metric]));
  }
  fprintf(f, "set logscale xy\nset xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\nset size square\n", low / 1.6,
          high * 1.6, low / 1.6, high * 1.6);
  fprintf(f, "set grid\nset tics nomirror\nset key outside right top\nset format '%%.6g'\nset title \"");
  put_name(f, m->name);
  struct correlate_figures g = correlate_figures(c, c->metric, NULL);
  fprintf(f, ": mean absolute error %.1f %%", 100 * g.absolute);
  if (!isnan(g.correlation)) fprintf(f, ", correlation %.3f", g.correlation);
  fprintf(f, "\"\nset xlabel \"theirs%s", c->theirs.simulated ? " (simulated)" : "");
  if (*m->unit) fprintf(f, " [%s]", m->unit);
  fprintf(f, "\"\nset ylabel \"ours\"\n");
}

int correlate_plot(const struct correlation *c, const char *path, struct err *e) {
  struct gnuplot g;
  uint32_t *colour = calloc(c->n, sizeof *colour), n = 0;
  if (!colour) return err_set(e, ERR_LIMIT, "out of memory for the plot");
  for (uint32_t i = 0; i < c->n; i++) n += drawn(c, i);
  choose_colours(c, colour);
  int status = n ? gnuplot_start(&g, path, 900, 620, e)
                 : err_set(e, ERR_VALUE, "--plot: no launch has a %s above 0 in both files; choose another by --metric",
                           kernel_metrics[c->metric].name);
  if (!status) {
    bool used[COLOURS] = {false};
    for (uint32_t i = 0; i < c->n; i++) used[colour[i]] |= drawn(c, i);
    for (uint32_t k = 0; k < COLOURS; k++)
      if (used[k]) put_points(g.in, c, colour, k);
    put_axes(g.in, c);
    fprintf(g.in, "plot x with lines lc rgb '#444444' title 'equal', x * 1.25 with lines dt 2 lc rgb '#999999' title "
                  "'25 %% off', x / 1.25 with lines dt 2 lc rgb '#999999' notitle");
    for (uint32_t k = 0; k < COLOURS; k++) {
      uint32_t first = 0;
      while (first < c->n && colour[first] != k) first++;
      if (!used[k]) continue;
      fprintf(g.in, ", $kernel%" PRIu32 " using 1:2 with points pt 7 ps 0.9 lc rgb '%s' title \"", k, colours[k]);
      put_name(g.in, k == COLOURS - 1 ? "others" : c->pair[first].ours->kernel);
      fputc('"', g.in);
    }
    fputc('\n', g.in);
    status = gnuplot_finish(&g, e);
  }
  free(colour);
  return status;
}
