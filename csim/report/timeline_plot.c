/* SPDX-License-Identifier: Apache-2.0 */
/* Plots a timeline. */
#include "base/err.h"
#include "base/gnuplot.h"
#include "report/timeline.h"

#include <inttypes.h>
#include <string.h>

enum { LANES_MAX = 64, LANE_PIXELS = 34 };

static const struct {
  const char *name, *colour;
} parts[] = {{"AGEN", "#e6550d"}, {"MEM", "#6baed6"}, {"compute", "#31a354"}, {"barrier", "#969696"}};
enum { PART_AGEN, PART_MEM, PART_COMPUTE, PART_BARRIER, PARTS };

struct lane {
  uint64_t cta;
  uint32_t tile;
  bool copies; /* else it computes */
};

struct lanes {
  struct lane lane[LANES_MAX];
  uint32_t n;
};

/* Barriers are drawn in the lane in which their CTA computes. Events are sorted, so that a CTA's tiles precede that lane. */
static int lane_of(struct lanes *l, const struct timeline_event *event) {
  bool copies = event->kind == TIMELINE_COPY;
  uint32_t tile = copies ? event->tile : 0;
  for (uint32_t i = 0; i < l->n; i++)
    if (l->lane[i].cta == event->cta && l->lane[i].copies == copies && l->lane[i].tile == tile) return (int)i;
  if (l->n == LANES_MAX) return -1;
  l->lane[l->n] = (struct lane){event->cta, tile, copies};
  return (int)l->n++;
}

/* Writes a box: its middle, its ends, the middle and the edges of its lane. `end` is the last cycle in the box. */
static void put_box(FILE *f, uint64_t begin, uint64_t end, uint32_t lane, double half) {
  fprintf(f, "%.1f %" PRIu64 " %" PRIu64 " %u %.2f %.2f\n", ((double)begin + (double)end) / 2, begin, end, lane,
          (double)lane - half, (double)lane + half);
}

static bool draws(const struct timeline_event *event, uint32_t part) {
  if (event->kind == TIMELINE_COPY) return part == PART_AGEN || part == PART_MEM;
  return (event->kind == TIMELINE_COMPUTE && part == PART_COMPUTE) ||
         (event->kind == TIMELINE_BARRIER && part == PART_BARRIER);
}

static void put_data(FILE *f, const struct timeline *t, struct lanes *l, uint32_t part, bool *any) {
  *any = false;
  fprintf(f, "$part%u << END_OF_DATA\n", part);
  for (uint32_t i = 0; i < t->n; i++) {
    const struct timeline_event *event = &t->event[i];
    int lane = draws(event, part) ? lane_of(l, event) : -1;
    if (lane < 0) continue;
    uint64_t begin = part == PART_MEM ? event->agen_end : event->begin;
    uint64_t end = part == PART_AGEN ? event->agen_end : event->end + 1;
    put_box(f, begin, end, (uint32_t)lane, part == PART_BARRIER ? 0.45 : 0.36);
    *any = true;
  }
  fprintf(f, "END_OF_DATA\n");
}

static void put_labels(FILE *f, const struct lanes *l) {
  fprintf(f, "set ytics (");
  for (uint32_t i = 0; i < l->n; i++) {
    const struct lane *lane = &l->lane[i];
    if (lane->copies) fprintf(f, "%s'b_{%" PRIu64 ",%u}' %u", i ? ", " : "", lane->cta, lane->tile, i);
    else fprintf(f, "%s'compute %" PRIu64 "' %u", i ? ", " : "", lane->cta, i);
  }
  fprintf(f, ")\n");
}

int timeline_plot(const struct timeline *t, const char *path, struct err *e) {
  struct gnuplot g;
  struct lanes lanes = {.n = 0};
  bool any[PARTS];
  for (uint32_t i = 0; i < t->n; i++)
    if (t->event[i].kind == TIMELINE_COPY || t->event[i].kind == TIMELINE_COMPUTE) lane_of(&lanes, &t->event[i]);
  int status = gnuplot_start(&g, path, 1100, 150 + LANE_PIXELS * (lanes.n < 4 ? 4 : lanes.n), e);
  if (status) return status;
  for (uint32_t part = 0; part < PARTS; part++) put_data(g.in, t, &lanes, part, &any[part]);
  uint64_t to = t->window.to < t->end ? t->window.to : t->end;
  fprintf(g.in, "set title \"");
  for (const char *c = t->run; *c; c++)
    if (*c == '_') fputs("\\\\_", g.in);
    else if (*c != '"' && *c != '\\') fputc(*c, g.in);
  fprintf(g.in, ": SM %" PRIu64 "\"\nset xrange [%" PRIu64 ":%" PRIu64 "]\n", t->window.sm, t->window.from, to + 1);
  fprintf(g.in, "set yrange [%.1f:-0.6]\nset xlabel 'core cycles'\nset grid xtics\nset tics nomirror\n",
          lanes.n ? lanes.n - 0.4 : 0.6);
  fprintf(g.in, "set key outside top center horizontal samplen 1\nset style fill solid 1.0 noborder\n");
  put_labels(g.in, &lanes);
  for (uint32_t i = 1; i < lanes.n; i++) /* a line between CTAs */
    if (lanes.lane[i].cta != lanes.lane[i - 1].cta)
      fprintf(g.in, "set arrow from graph 0,first %.1f to graph 1,first %.1f nohead lc rgb '#444444'\n", i - 0.5,
              i - 0.5);
  const char *separator = "plot";
  for (uint32_t part = 0; part < PARTS; part++) {
    if (!any[part]) continue;
    fprintf(g.in, "%s $part%u using 1:4:2:3:5:6 with boxxyerror lc rgb '%s' title '%s'", separator, part,
            parts[part].colour, parts[part].name);
    separator = ",";
  }
  if (!strcmp(separator, "plot")) fprintf(g.in, "plot NaN notitle");
  fputc('\n', g.in);
  return gnuplot_finish(&g, e);
}
