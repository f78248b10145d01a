/* SPDX-License-Identifier: Apache-2.0 */
/* Counters over time: stalls as stacked areas, rates and latencies as lines, issue of each SM as a map. */
#include "base/markup.h"
#include "report/page_parts.h"
#include "report/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 400, MAP_POINTS = 250, MARKS = 12 };

/* Intervals of a table, some joined so that there are at most so many. */
struct axis {
  const struct csv *t;
  size_t n, joined; /* intervals drawn; rows (of all SMs) in each */
  double *x;        /* n + 1: begins, and the last end */
};

static bool make_axis(struct axis *a, const struct csv *t, size_t rows_each, size_t most) {
  size_t rows = t->rows / rows_each;
  *a = (struct axis){.t = t, .joined = (rows + most - 1) / most};
  if (!rows) return false;
  a->n = (rows + a->joined - 1) / a->joined;
  a->x = calloc(a->n + 1, sizeof *a->x);
  if (!a->x) return false;
  int begin = csv_column(t, "begin"), end = csv_column(t, "end");
  for (size_t i = 0; i < a->n; i++) a->x[i] = csv_number(t, i * a->joined * rows_each, begin);
  a->x[a->n] = csv_number(t, t->rows - 1, end);
  return a->x[a->n] > a->x[0];
}

/* The sum of a counter over drawn interval i. */
static double sum(const struct axis *a, size_t i, const char *name) {
  int column = csv_column(a->t, name);
  double total = 0;
  for (size_t row = i * a->joined; row < a->t->rows && row < (i + 1) * a->joined; row++)
    total += csv_number(a->t, row, column);
  return total;
}

/* Core cycles of drawn interval i; launches may leave gaps between intervals. */
static double cycles(const struct axis *a, size_t i) { return sum(a, i, "end") - sum(a, i, "begin"); }

static void begin_plot(struct svg_plot *plot, const struct page *p, const struct axis *a, double height,
                       const char *title) {
  svg_begin(plot, p->f, PAGE_WIDTH, height, title);
  plot->x0 = a->x[0];
  plot->x1 = a->x[a->n];
}

/* Where launches begin, if there are a few. */
static void mark_launches(const struct svg_plot *plot, const struct csv *t) {
  int launch = csv_column(t, "launch"), begin = csv_column(t, "begin");
  double last = csv_number(t, t->rows - 1, launch);
  if (!last || last >= MARKS) return;
  for (size_t row = 0; row < t->rows; row++) {
    char word[24];
    if (row && csv_number(t, row, launch) == csv_number(t, row - 1, launch)) continue;
    snprintf(word, sizeof word, "%s%.0f", row ? "" : "launch ", csv_number(t, row, launch));
    svg_mark(plot, csv_number(t, row, begin), word);
  }
}

/* ---- stalls ---- */

static double stall_share(const struct page *p, const struct axis *a, size_t i, uint32_t column) {
  double all = cycles(a, i) * p->stalls.n_sms;
  char name[96];
  if (column + 1 == stall_class_count()) return all > 0 ? 100 * (all - sum(a, i, "sm.cycles")) / all : 0;
  snprintf(name, sizeof name, "sm.%s", stalls_class(column)->counter);
  return all > 0 ? 100 * sum(a, i, name) / all : 0;
}

static void put_stalls(const struct page *p, const struct axis *a) {
  struct svg_plot plot;
  double *low = calloc(a->n, sizeof *low), *high = calloc(a->n, sizeof *high);
  fputs("<h3>Where cycles went</h3>\n", p->f);
  begin_plot(&plot, p, a, 260, "where cycles went, over time");
  plot.y1 = 100;
  for (uint32_t c = 0; low && high && c < stall_class_count(); c++) {
    if (!stalls_shows(&p->stalls, c)) continue;
    bool idle = c + 1 == stall_class_count();
    for (size_t i = 0; i < a->n; i++) high[i] = low[i] + stall_share(p, a, i, c);
    svg_area(&plot, a->x, low, high, a->n, idle ? "var(--idle)" : stalls_class(c)->colour, stalls_class(c)->title);
    memcpy(low, high, a->n * sizeof *low);
  }
  svg_x_axis(&plot, "core cycle");
  svg_y_axis(&plot, "SM cycles, %");
  mark_launches(&plot, a->t);
  svg_end(&plot);
  free(low);
  free(high);
}

/* ---- lines ---- */

/* scale * sum of `over` / sum of `under`, sums of counters joined by "+"; `under` NULL: the core cycles. */
struct rate {
  const char *word, *colour, *over, *under;
  double scale;
};

static double sum_all(const struct axis *a, size_t i, const char *names) {
  char text[160], *rest = text, *name;
  double total = 0;
  snprintf(text, sizeof text, "%s", names);
  while ((name = strsep(&rest, "+"))) total += sum(a, i, name);
  return total;
}

/* Fills the values, NAN where nothing was counted; false: nowhere anything. */
static bool evaluate(const struct axis *a, const struct rate *r, double *value, double *most) {
  bool any = false;
  for (size_t i = 0; i < a->n; i++) {
    double under = r->under ? sum_all(a, i, r->under) : cycles(a, i);
    value[i] = under > 0 ? r->scale * sum_all(a, i, r->over) / under : NAN;
    if (under > 0 && value[i] > *most) *most = value[i];
    any |= value[i] > 0;
  }
  return any;
}

/* Pieces between the gaps. */
static void put_line(const struct svg_plot *plot, const struct axis *a, const double *value, const char *colour) {
  for (size_t i = 0, end; i < a->n; i = end + 1) {
    for (end = i; end < a->n && !isnan(value[end]); end++) {
    }
    if (end > i) svg_steps(plot, a->x + i, value + i, end - i, colour);
  }
}

static void put_rates(const struct page *p, const struct axis *a, const char *title, const char *unit, double top,
                      const struct rate *rates, size_t n) {
  struct svg_plot plot;
  double most = 0, *value = calloc(n * a->n, sizeof *value);
  bool shown[4] = {false}, any = false;
  for (size_t k = 0; value && k < n; k++) any |= shown[k] = evaluate(a, &rates[k], value + k * a->n, &most);
  if (any) {
    fprintf(p->f, "<h3>%s</h3>\n", title);
    if (n > 1) {
      fputs("<p class=\"legend\">", p->f);
      for (size_t k = 0; k < n; k++)
        if (shown[k]) svg_legend_item(p->f, rates[k].colour, rates[k].word);
      fputs("</p>\n", p->f);
    }
    begin_plot(&plot, p, a, 190, title);
    plot.y1 = top > 0 ? top : most * 1.08;
    svg_x_axis(&plot, "core cycle");
    svg_y_axis(&plot, unit);
    for (size_t k = 0; k < n; k++)
      if (shown[k]) put_line(&plot, a, value + k * a->n, rates[k].colour);
    mark_launches(&plot, a->t);
    svg_end(&plot);
  }
  free(value);
}

static void put_lines(const struct page *p, const struct axis *a) {
  static const struct rate issue[] = {{"", "var(--accent)", "sm.warp_instructions", NULL, 1}};
  static const struct rate hits[] = {
    {"L1 hits", "#e6550d", "sm.l1_hits", "sm.l1_hits+sm.l1_misses+sm.l1_merges", 100},
    {"L2 hits", "#31a354", "memory.l2_hits", "memory.l2_hits+memory.l2_misses", 100},
    {"DRAM row hits", "#756bb1", "memory.dram_row_hits", "memory.dram_reads+memory.dram_writes", 100}};
  static const struct rate buses[] = {{"", "var(--accent)", "memory.dram_busy_cycles", "memory.dram_cycles", 100}};
  static const struct rate latency[] = {{"", "var(--accent)", "sm.reply_cycles", "sm.replies", 1}};
  put_rates(p, a, "Warp instructions a core cycle, all SMs", "a cycle", 0, issue, 1);
  put_rates(p, a, "Hit rates", "%", 100, hits, 3);
  put_rates(p, a, "DRAM data buses busy", "%", 100, buses, 1);
  put_rates(p, a, "Mean round trip of a request to memory", "core cycles", 0, latency, 1);
}

/* ---- map ---- */

static void put_map(const struct page *p) {
  struct axis a = {.x = NULL};
  struct svg_plot plot;
  uint32_t n = p->stalls.n_sms;
  double pixels = n > 32 ? 6 : 14;
  int issue = csv_column(&p->sms, "issue_cycles"), begin = csv_column(&p->sms, "begin"),
      end = csv_column(&p->sms, "end");
  if (p->sms.columns && p->sms.rows % n == 0 && make_axis(&a, &p->sms, n, MAP_POINTS)) {
    fputs("<h3>Issue of each SM</h3>\n<p class=\"soft\">The stronger the colour, the more of its cycles the SM issued "
          "in.</p>\n",
          p->f);
    begin_plot(&plot, p, &a, 50 + pixels * n, "issue of each SM over time");
    plot.y1 = n;
    for (size_t i = 0; i < a.n; i++)
      for (uint32_t sm = 0; sm < n; sm++) {
        double issued = 0, all = 0;
        for (size_t k = i * a.joined; k < (i + 1) * a.joined && k * n < p->sms.rows; k++) {
          issued += csv_number(&p->sms, k * n + sm, issue);
          all += csv_number(&p->sms, k * n + sm, end) - csv_number(&p->sms, k * n + sm, begin);
        }
        if (issued > 0 && all > 0)
          svg_box(&plot, a.x[i], a.x[i + 1], n - 1.0 - sm, n - sm, "var(--accent)", issued / all, NULL);
      }
    for (uint32_t sm = 0; sm<n; sm += n> 32 ? 8 : 1) {
      char name[16];
      snprintf(name, sizeof name, "SM %u", sm);
      svg_row_label(&plot, n - 0.5 - sm, name);
    }
    svg_x_axis(&plot, "core cycle");
    svg_end(&plot);
  }
  free(a.x);
}

void page_time(const struct page *p) {
  struct axis a = {.x = NULL};
  if (p->samples.columns && make_axis(&a, &p->samples, 1, POINTS)) {
    fputs("<h2>Over time</h2>\n", p->f);
    put_stalls(p, &a);
    put_lines(p, &a);
    put_map(p);
  }
  free(a.x);
}
