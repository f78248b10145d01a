/* SPDX-License-Identifier: Apache-2.0 */
/* Claims as one HTML page: a table for each proposal, with a plot of each measured against the published number. */
#include "base/err.h"
#include "base/out_file.h"
#include "claims/claims.h"

#include <math.h>
#include <string.h>

enum { PLOT_WIDTH = 220, PLOT_HEIGHT = 22, MARGIN = 8 };
static const double plot_decades = 2; /* the axis: measured / published from 1/10 to 10 */

static const char style[] =
  "body{font:15px/1.45 system-ui,sans-serif;color:#1c1c1c;background:#fff;max-width:1180px;margin:2em auto;padding:0 "
  "1em}"
  "h1{font-size:1.5em}h2{font-size:1.2em;margin:1.6em 0 .2em}p.source{color:#555;margin:.1em 0 .8em}"
  "table{border-collapse:collapse;width:100%}th,td{padding:.35em .6em;border-bottom:1px solid #ddd;text-align:left;"
  "vertical-align:top}th{background:#f4f4f4;position:sticky;top:0}"
  "td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
  ".v{display:inline-block;padding:.05em .55em;border-radius:.8em;color:#fff;white-space:nowrap;font-size:.9em}"
  ".v0{background:#2e7d32}.v1{background:#8a6d00}.v2{background:#b3261e}.v3{background:#6a1b9a}.v4{background:#616161}"
  "details{color:#444;font-size:.9em}code{background:#f4f4f4;padding:0 .25em}"
  "@media print{body{max-width:none}}";

static void put(FILE *f, const char *text) {
  for (; *text; text++) {
    switch (*text) {
      case '<': fputs("&lt;", f); break;
      case '>': fputs("&gt;", f); break;
      case '&': fputs("&amp;", f); break;
      case '"': fputs("&quot;", f); break;
      default: fputc(*text, f);
    }
  }
}

static void put_figure(FILE *f, const struct figure *v) {
  if (v->low == v->high) fprintf(f, "%.5g", v->value);
  else fprintf(f, "%.5g<br><small>%.5g to %.5g</small>", v->value, v->low, v->high);
}

/* Position of a ratio on the logarithmic axis, limited to its ends. */
static double place(double ratio) {
  double x = ratio > 0 ? log10(ratio) / plot_decades + 0.5 : 0;
  x = x < 0 ? 0 : x > 1 ? 1 : x;
  return MARGIN + x * (PLOT_WIDTH - 2 * MARGIN);
}

/* Draws the published number as a grey bar around 1, as wide as the tolerance; the measured band as a line, its median as a dot. */
static void put_plot(FILE *f, const struct claim *q) {
  const struct published *p = &q->published;
  double middle = (p->low + p->high) / 2;
  if (middle == 0 || q->ours.value / middle <= 0) return; /* a ratio below 0 is not on a logarithmic axis */
  double slack = p->half_digit + fabs(middle) * (q->arithmetic ? 0 : p->tolerance);
  double from = place((p->low - slack) / middle), to = place((p->high + slack) / middle);
  double low = place(q->ours.low / middle), high = place(q->ours.high / middle), dot = place(q->ours.value / middle);
  double y = PLOT_HEIGHT / 2.0;
  if (from > to) {
    double swap = from;
    from = to;
    to = swap;
  }
  fprintf(
    f,
    "<svg width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"the measured number is %.3g times the published number\">",
    PLOT_WIDTH, PLOT_HEIGHT, q->ours.value / middle);
  fprintf(f, "<rect x=\"%.1f\" y=\"3\" width=\"%.1f\" height=\"%d\" fill=\"#d9d9d9\"/>", from, fmax(to - from, 2),
          PLOT_HEIGHT - 6);
  fprintf(f, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#bbb\"/>", MARGIN, y, PLOT_WIDTH - MARGIN, y);
  fprintf(f, "<line x1=\"%.1f\" y1=\"2\" x2=\"%.1f\" y2=\"%d\" stroke=\"#777\"/>", place(1), place(1), PLOT_HEIGHT - 2);
  fprintf(f, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#1565c0\" stroke-width=\"4\"/>", low, y,
          high, y);
  fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" fill=\"#1565c0\"/></svg>", dot, y);
}

static void put_claim(FILE *f, const struct claim *q) {
  fprintf(f, "<tr><td><b>");
  put(f, q->id);
  fprintf(f, "</b><br>");
  put(f, q->text);
  fprintf(f, "<details><summary>");
  put(f, q->place);
  fprintf(f, "</summary><code>");
  put(f, q->expression);
  fprintf(f, "</code><br>");
  for (unsigned i = 0; i < q->n_inputs; i++) {
    put(f, q->inputs[i].name);
    fprintf(f, " = %.6g", q->inputs[i].figure.value);
    if (q->inputs[i].figure.low != q->inputs[i].figure.high)
      fprintf(f, " (%.6g to %.6g)", q->inputs[i].figure.low, q->inputs[i].figure.high);
    fprintf(f, "<br>");
  }
  put(f, q->reason);
  fprintf(f, "</details></td><td class=\"n\">");
  put(f, q->published_text);
  fprintf(f, " ");
  put(f, q->unit);
  fprintf(f, "</td><td class=\"n\">");
  put_figure(f, &q->ours);
  fprintf(f, "</td><td>");
  put_plot(f, q);
  fprintf(f, "</td><td><span class=\"v v%d\">%s</span></td></tr>\n", (int)q->verdict, verdict_names[q->verdict]);
}

static void put_sources(FILE *f, const struct sources *s) {
  for (unsigned i = 0; i < s->n; i++) {
    const struct source *q = &s->list[i];
    if (!q->needed) continue;
    fprintf(f, "<tr><td>%s</td><td>", source_kind_names[q->kind]);
    put(f, q->name);
    fprintf(f, "</td><td><code>");
    put(f, q->arguments);
    fprintf(f, "</code></td><td><code>");
    put(f, q->id);
    fprintf(f, "</code></td></tr>\n");
  }
}

static void put_system(FILE *f, const struct claims *c) {
  fprintf(f, "<h2 id=\"%s\">%s</h2><p class=\"source\">", c->system, c->system);
  put(f, c->source);
  fprintf(f, "</p><p>");
  for (int v = 0; v < VERDICTS; v++)
    if (claims_count(c, (enum verdict)v))
      fprintf(f, "<span class=\"v v%d\">%u %s</span> ", v, claims_count(c, (enum verdict)v), verdict_names[v]);
  fprintf(f, "</p><table><thead><tr><th>claim</th><th>published</th><th>measured</th><th>measured / published, 1/10 to "
             "10</th><th>verdict</th></tr></thead><tbody>\n");
  for (unsigned i = 0; i < c->n_claims; i++)
    if (!c->claims[i].left_out) put_claim(f, &c->claims[i]);
  fprintf(f, "</tbody></table><details><summary>runs, commands and designs</summary><table>");
  put_sources(f, &c->sources);
  fprintf(f, "</table></details>\n");
}

int claims_html(const struct claims *all, unsigned n, const char *path, struct err *e) {
  struct out_file o;
  int status = out_file_open(&o, path, e);
  if (status) return status;
  fprintf(
    o.f,
    "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
    "content=\"width=device-width\"><title>Tandem: published claims</title><style>%s</style></head><body>"
    "<h1>Published claims and what is measured here</h1>"
    "<p>Areas and clocks are pre-layout. A verdict is computed from the two numbers alone: reproduced, when the "
    "measured band meets the published number within its tolerance (grey); direction only, when it is on the same side of "
    "no effect; cannot hold, when the paper's other numbers exclude it; stale, when the hardware measured is not "
    "the one that passed lockstep and proof.</p>\n",
    style);
  for (unsigned i = 0; i < n; i++) put_system(o.f, &all[i]);
  fprintf(o.f, "</body></html>\n");
  return out_file_commit(&o, e);
}
