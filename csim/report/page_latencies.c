/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms of latencies: percentiles as a table, and a plot each. */
#include "base/markup.h"
#include "config/latencies.h"
#include "report/page_parts.h"
#include "report/svg.h"

#include <math.h>
#include <string.h>

/* The lines of one latency in histograms.csv. */
struct buckets {
  size_t first, end;
  double count, sum;
};

static struct buckets buckets_of(const struct csv *t, const char *name) {
  struct buckets l = {0};
  int latency = csv_column(t, "latency"), count = csv_column(t, "count"), sum = csv_column(t, "sum");
  while (l.first < t->rows && strcmp(csv_text(t, l.first, latency), name) != 0) l.first++;
  for (l.end = l.first; l.end < t->rows && !strcmp(csv_text(t, l.end, latency), name); l.end++) {
    l.count += csv_number(t, l.end, count);
    l.sum += csv_number(t, l.end, sum);
  }
  return l;
}

/* The end of the bucket in which this share of the values is reached. */
static double percentile(const struct csv *t, const struct buckets *l, double share) {
  double below = 0;
  for (size_t i = l->first; i < l->end; i++) {
    below += csv_number(t, i, csv_column(t, "count"));
    if (below >= share * l->count) return csv_number(t, i, csv_column(t, "to"));
  }
  return 0;
}

static void put_cell(FILE *f, double value) {
  char text[48];
  svg_number(text, sizeof text, value);
  fprintf(f, "<td class=\"n\">%s</td>", text);
}

static void put_row(const struct page *p, const struct counter_row *name, const struct buckets *l) {
  const struct csv *t = &p->histograms;
  fprintf(p->f, "<tr><td>%s</td><td>", name->name);
  markup_put(p->f, name->sentence);
  fprintf(p->f, "</td><td>%s</td>", name->unit);
  put_cell(p->f, l->count);
  put_cell(p->f, round(l->sum / l->count * 10) / 10);
  put_cell(p->f, percentile(t, l, 0.5));
  put_cell(p->f, percentile(t, l, 0.9));
  put_cell(p->f, percentile(t, l, 0.99));
  put_cell(p->f, percentile(t, l, 1));
  fputs("</tr>\n", p->f);
}

/* Heights are shares for each factor of 2^(1/16), so that buckets of different widths compare. */
static void put_plot(const struct page *p, const struct counter_row *name, const struct buckets *l) {
  const struct csv *t = &p->histograms;
  struct svg_plot plot;
  int from = csv_column(t, "from"), to = csv_column(t, "to"), count = csv_column(t, "count");
  double most = 0;
  char title[160];
  for (size_t i = l->first; i < l->end; i++) {
    double low = fmax(1, csv_number(t, i, from)), high = fmax(1, csv_number(t, i, to)) + 1;
    most = fmax(most, 100 * csv_number(t, i, count) / l->count / (16 * log2(high / low)));
  }
  snprintf(title, sizeof title, "%s, %s", name->name, name->unit);
  svg_begin(&plot, p->f, PAGE_WIDTH, 150, title);
  plot.log_x = true;
  plot.x0 = fmax(1, csv_number(t, l->first, from) * 0.9);
  plot.x1 = fmax(plot.x0 * 4, csv_number(t, l->end - 1, to) * 1.15);
  plot.y1 = most * 1.08;
  svg_x_axis(&plot, title);
  svg_y_axis(&plot, "share, %");
  for (size_t i = l->first; i < l->end; i++) {
    double low = fmax(1, csv_number(t, i, from)), high = fmax(1, csv_number(t, i, to)) + 1;
    double share = 100 * csv_number(t, i, count) / l->count;
    char tip[120];
    snprintf(tip, sizeof tip, "%s to %s: %.2f %%", csv_text(t, i, from), csv_text(t, i, to), share);
    svg_box(&plot, low, high, 0, share / (16 * log2(high / low)), "var(--accent)", 0.85, tip);
  }
  svg_mark(&plot, fmax(plot.x0, percentile(t, l, 0.5)), "median");
  svg_end(&plot);
}

void page_latencies(const struct page *p) {
  if (!p->histograms.columns) return;
  fputs("<h2>Latencies</h2>\n<div class=\"scroll\"><table><thead><tr><th>latency</th><th>from where to where</th>"
        "<th>unit</th><th class=\"n\">count</th><th class=\"n\">mean</th><th class=\"n\">median</th><th class=\"n\">90 "
        "%</th><th class=\"n\">99 %</th><th class=\"n\">most</th></tr></thead><tbody>\n",
        p->f);
  for (int k = 0; k < LATENCIES; k++) {
    struct buckets l = buckets_of(&p->histograms, latency_table[k].name);
    if (l.count > 0) put_row(p, &latency_table[k], &l);
  }
  fputs("</tbody></table></div>\n<p class=\"soft\">Percentiles are the ends of buckets, at most a sixteenth too "
        "large.</p>\n",
        p->f);
  for (int k = 0; k < LATENCIES; k++) {
    struct buckets l = buckets_of(&p->histograms, latency_table[k].name);
    if (l.count > 0) put_plot(p, &latency_table[k], &l);
  }
}
