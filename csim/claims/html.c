/* SPDX-License-Identifier: Apache-2.0 */
/* Claims as one HTML page: a table for each proposal, with a plot of each measured against the published number. */
#include "base/err.h"
#include "base/markup.h"
#include "base/out_file.h"
#include "claims/claims.h"
#include "claims/strip.h"

#include <string.h>

static const char style[] =
  "body{font:15px/1.45 system-ui,sans-serif;color:#1c1c1c;background:#fff;max-width:1180px;margin:2em auto;padding:0 "
  "1em}"
  "h1{font-size:1.5em}h2{font-size:1.2em;margin:1.6em 0 .2em}p.source{color:#555;margin:.1em 0 .8em}"
  "table{border-collapse:collapse;width:100%}th,td{padding:.35em .6em;border-bottom:1px solid #ddd;text-align:left;"
  "vertical-align:top}th{background:#f4f4f4;position:sticky;top:0}"
  "td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
  ".v{display:inline-block;padding:.05em .55em;border-radius:.8em;color:#fff;white-space:nowrap;font-size:.9em}"
  ".v0{background:#2e7d32}.v1{background:#8a6d00}.v2{background:#b3261e}.v3{background:#00639b}.v4{background:#6a1b9a}"
  ".v5,.v6,.v7{background:#616161}"
  "details{color:#444;font-size:.9em}code{background:#f4f4f4;padding:0 .25em}"
  "@media print{body{max-width:none}}";

static void put_figure(FILE *f, const struct figure *v) {
  if (v->low == v->high) fprintf(f, "%.5g", v->value);
  else fprintf(f, "%.5g<br><small>%.5g to %.5g</small>", v->value, v->low, v->high);
}

/* "7 of 40 hold; ctas=6 moves it most, from 1.36 to 1.44" */
static void put_spread(FILE *f, const struct claim *q) {
  const struct claim_spread *s = &q->spread;
  if (!s->tally.n) return;
  fprintf(f, "<br><small>%u of %u hold", s->tally.holds, s->tally.n);
  if (s->most.choice) {
    fprintf(f, "; ");
    markup_put(f, s->most.choice->id);
    fprintf(f, "=");
    markup_put(f, s->most.choice->value[s->most.value].value);
    fprintf(f, " moves it most, from %.4g to %.4g", s->most.from, s->most.to);
  }
  fprintf(f, "</small>");
}

static void put_claim(FILE *f, const struct claim *q) {
  fprintf(f, "<tr><td><b>");
  markup_put(f, q->id);
  fprintf(f, "</b><br>");
  markup_put(f, q->text);
  fprintf(f, "<details><summary>");
  markup_put(f, q->place);
  fprintf(f, "</summary><code>");
  markup_put(f, q->expression);
  fprintf(f, "</code><br>");
  for (unsigned i = 0; i < q->n_inputs; i++) {
    markup_put(f, q->inputs[i].name);
    fprintf(f, " = %.6g", q->inputs[i].figure.value);
    if (q->inputs[i].figure.low != q->inputs[i].figure.high)
      fprintf(f, " (%.6g to %.6g)", q->inputs[i].figure.low, q->inputs[i].figure.high);
    fprintf(f, "<br>");
  }
  markup_put(f, q->reason);
  fprintf(f, "<br>%s%s", rank_names[q->rank], q->because ? ": " : "");
  if (q->because) markup_put(f, q->because);
  if (q->heaviest[0]) fprintf(f, "<br>without %s: %.5g", q->heaviest, q->without_heaviest);
  if (q->flips[0]) fprintf(f, "<br>another outcome without one of: %s", q->flips);
  fprintf(f, "</details></td><td class=\"n\">");
  markup_put(f, q->published_text);
  fprintf(f, " ");
  markup_put(f, q->unit);
  fprintf(f, "</td><td class=\"n\">");
  put_figure(f, &q->ours);
  fprintf(f, "</td><td>");
  strip_draw(f, q, 0, 0);
  put_spread(f, q);
  char verdict[96];
  claim_verdict_text(q, verdict, sizeof verdict);
  fprintf(f, "</td><td><span class=\"v v%d\">", (int)q->verdict);
  markup_put(f, verdict);
  fprintf(f, "</span></td></tr>\n");
}

static void put_choices(FILE *f, const struct choices *all) {
  if (!all->n) return;
  fprintf(f,
          "<details><summary>%u open choices</summary><table><thead><tr><th>choice</th><th>silent</th><th>values, the "
          "default first</th></tr></thead><tbody>",
          all->n);
  for (unsigned i = 0; i < all->n; i++) {
    const struct choice *c = &all->choice[i];
    fprintf(f, "<tr><td><b>");
    markup_put(f, c->id);
    fprintf(f, "</b><br>");
    markup_put(f, c->text);
    fprintf(f, "</td><td>");
    markup_put(f, c->silent);
    fprintf(f, "</td><td>");
    for (unsigned v = 0; v < c->n; v++) {
      fprintf(f, "<b>");
      markup_put(f, c->value[v].value);
      fprintf(f, "</b>: ");
      markup_put(f, c->value[v].why);
      fprintf(f, "<br>");
    }
    fprintf(f, "</td></tr>");
  }
  fprintf(f, "</tbody></table></details>\n");
}

static void put_sources(FILE *f, const struct sources *s) {
  for (unsigned i = 0; i < s->n; i++) {
    const struct source *q = &s->list[i];
    if (!q->needed) continue;
    fprintf(f, "<tr><td>%s</td><td>", source_kind_names[q->kind]);
    markup_put(f, q->name);
    fprintf(f, "</td><td><code>");
    markup_put(f, q->arguments);
    fprintf(f, "</code></td><td><code>");
    markup_put(f, q->id);
    fprintf(f, "</code></td></tr>\n");
  }
}

static void put_system(FILE *f, const struct claims *c) {
  fprintf(f, "<h2 id=\"%s\">%s</h2><p class=\"source\">", c->system, c->system);
  markup_put(f, c->source);
  fprintf(f, "</p><p>");
  for (int v = 0; v < VERDICTS; v++)
    if (claims_count(c, (enum verdict)v))
      fprintf(f, "<span class=\"v v%d\">%u %s</span> ", v, claims_count(c, (enum verdict)v), verdict_names[v]);
  fprintf(f, "of %u primary rows", claims_primary(c));
  if (c->combinations.n) fprintf(f, ", over %u combinations of open choices", c->combinations.n);
  fprintf(
    f,
    "</p><table><thead><tr><th>claim</th><th>published</th><th>measured</th><th>strip</th><th>verdict</th></tr></thead><tbody>\n");
  for (unsigned i = 0; i < c->n_claims; i++)
    if (!c->claims[i].left_out) put_claim(f, &c->claims[i]);
  fprintf(f, "</tbody></table>");
  put_choices(f, &c->choices);
  fprintf(f, "<details><summary>runs, commands and designs</summary><table>");
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
    "<p>Areas and clocks are pre-layout. In a strip the black line is the published number, green is what counts as holding, the "
    "dotted line no effect; the red dot is our default, each blue dot one combination of what the source leaves open. "
    "Reproduced: it holds by default and in nine tenths of the combinations. Not reproduced: in at most a tenth; direction only: "
    "the sign holds in nine tenths. Undetermined: a choice that the source leaves open decides, or our own band is wider than the "
    "tolerance. Stale: the hardware measured is not the one that passed lockstep and proof.</p>\n",
    style);
  for (unsigned i = 0; i < n; i++) put_system(o.f, &all[i]);
  fprintf(o.f, "</body></html>\n");
  return out_file_commit(&o, e);
}
