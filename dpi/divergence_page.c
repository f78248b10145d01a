/* SPDX-License-Identifier: Apache-2.0 */
#include "divergence_page.h"

#include "base/markup.h"
#include "base/out_file.h"
#include "diagram.h"
#include "explain_print.h"
#include "testbench.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char style[] =
  ":root{color-scheme:light dark;--ink:#1c1c1c;--soft:#5a5a5a;--paper:#fff;--line:#dcdcdc;--box:#f5f6f7;--bad:#b3261e;--wash:#fbdcd9}"
  "@media(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--soft:#a0a0a0;--paper:#16181b;--line:#34383d;--box:#1f2226;--bad:#ff8a80;"
  "--wash:#5c2320}}"
  "body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:1200px;margin:2em auto;padding:0 1em}"
  "h1{font-size:1.5em;overflow-wrap:anywhere;margin-bottom:.1em}h2{font-size:1.2em;margin:1.6em 0 .3em}p{margin:.3em 0}"
  "code,td.c,pre{font:13px ui-monospace,monospace}.soft{color:var(--soft)}.fail{color:var(--bad)}"
  "table{border-collapse:collapse;font-size:.93em}th,td{padding:.2em .6em;border-bottom:1px solid var(--line);text-align:left;"
  "vertical-align:top;white-space:nowrap}th{background:var(--box)}tr.gap td{border-top:3px double var(--soft)}"
  "td.bad{background:var(--wash)}.scroll{overflow-x:auto}"
  "svg text{fill:var(--ink);font:12px system-ui,sans-serif}svg .v{text-anchor:middle;font-variant-numeric:tabular-nums}"
  "svg .n{text-anchor:end}svg .k{fill:var(--soft);font-weight:600}svg .w{fill:none;stroke:var(--ink)}svg .g{stroke:var(--line)}"
  "svg .gap{stroke:var(--soft);stroke-width:3;stroke-dasharray:4 3}svg .bad{fill:var(--wash)}";

struct page {
  FILE *f;
  const struct divergence *v;
  const struct explanation *x;
  const char *work;
};

static void put_place(const struct page *p, const char *file, uint32_t line) {
  char place[1200], source[300];
  explain_place(p->x, file, line, place, sizeof place);
  explain_source(p->x, file, line, source, sizeof source);
  fputs("<td><code>", p->f);
  markup_put(p->f, place);
  fputs("</code></td><td class=\"c\">", p->f);
  markup_put(p->f, source);
  fputs("</td>", p->f);
}

static void put_head(const struct page *p) {
  char expected[STIMULUS_TEXT], actual[STIMULUS_TEXT];
  const struct divergence *v = p->v;
  const struct stimulus *s = p->x->s;
  stimulus_print_value((const uint8_t *)v->expected, v->width, expected, sizeof expected);
  stimulus_print_value((const uint8_t *)v->actual, v->width, actual, sizeof actual);
  fprintf(
    p->f,
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">"
    "<title>%s diverges</title><style>%s</style></head><body>\n",
    v->path, style);
  fprintf(p->f, "<h1>%s differs from its model in cycle %" PRIu64 "</h1>\n", v->path, v->cycle);
  fprintf(
    p->f,
    "<p>Block <b>%s</b>, %s <b>%s</b>: expected <b>%s</b> (C model), actual <b class=\"fail\">%s</b> (RTL).</p>\n<p class=\"soft\">",
    v->block, v->is_register ? "register" : "port", v->what, expected, actual);
  for (uint32_t i = 0; i < s->desc->n_params; i++) fprintf(p->f, "%s=%d ", s->desc->params[i].name, s->params[i]);
  fputs("</p>\n", p->f);
}

static void put_first(const struct page *p) {
  const struct explanation *x = p->x;
  fputs("<h2>Why</h2>\n<p>", p->f);
  if (!x->first) {
    fputs(
      "Not known: run again from its first cycle, the recording shows no difference. The cause lies before it, in a register that did "
      "not count then.",
      p->f);
  } else if (!x->first->is_register) {
    fprintf(p->f, "Port <b>%s</b> differs first, in cycle %" PRIu64 "; no register differs before.",
            x->first->field->name, x->first->cycle);
  } else {
    fprintf(p->f, "Register <b>%s</b> differs first",
            x->first->field->rtl ? x->first->field->rtl : x->first->field->name);
    if (x->failing) fprintf(p->f, ", by the clock edge that ends cycle %" PRIu64, x->failing->cycle);
    fputs(".", p->f);
  }
  fputs("</p>\n", p->f);
  if (!*x->missing) return;
  fputs("<p>No suspects: ", p->f);
  markup_put(p->f, x->missing);
  fputs("</p>\n", p->f);
}

static void put_chain(const struct page *p) {
  const struct explanation *x = p->x;
  if (x->n_chain < 2) return;
  fputs(
    "<h2>From the port back</h2>\n<div class=\"scroll\"><table><tr><th>cycle</th><th>signal</th><th>place</th><th>source</th></tr>\n",
    p->f);
  for (uint32_t i = 0; i < x->n_chain; i++) {
    fprintf(p->f, "<tr><td>%" PRIu64 "</td><td>", x->chain[i].cycle);
    markup_put(p->f, x->chain[i].name);
    fputs("</td>", p->f);
    put_place(p, x->chain[i].file, x->chain[i].line);
    fputs("</tr>\n", p->f);
  }
  fputs("</table></div>\n", p->f);
}

static void put_suspects(const struct page *p) {
  const struct suspects *s = &p->x->suspects;
  if (!s->n) return;
  fprintf(
    p->f,
    "<h2>Suspects in cycle %" PRIu64
    "</h2>\n<p class=\"soft\">%u stimuli beside the failing one agree, %u do not. <i>mends</i>: in "
    "how many of the failing ones another value of the signal gives the right result; <i>cleared</i>: in how many of those that "
    "agree, and of %u cycles before, it did the same from the same causes.</p>\n<div class=\"scroll\"><table><tr><th></th><th>signal</th>"
    "<th>value</th><th>place</th><th>source</th><th>mends</th><th>cleared</th></tr>\n",
    p->x->failing->cycle, s->passing, s->failing, s->history);
  for (uint32_t i = 0; i < s->n && i < 2 * SUSPECTS_SHOWN; i++) {
    const struct suspect *q = &s->list[i];
    fprintf(p->f, "<tr><td>%u</td><td>", i + 1);
    markup_put(p->f, q->name);
    fprintf(p->f, "%s</td><td>%s</td>", q->next ? " (next)" : "", q->value);
    put_place(p, q->file, q->line);
    fprintf(p->f, "<td>%.0f %%</td><td>%.0f %%</td></tr>\n", 100 * q->mends, 100 * q->cleared);
  }
  fputs("</table></div>\n", p->f);
}

static void put_work(const struct page *p) {
  if (!p->work || !*p->work) return;
  fputs(
    "<h2>Last operations of the SM</h2>\n<p class=\"soft\">The latest first. Both sides work for them; the number is kept outside of "
    "the RTL.</p>\n<div class=\"scroll\"><pre>",
    p->f);
  markup_put(p->f, p->work);
  fputs("</pre></div>\n", p->f);
}

static void put_files(const struct page *p, bool testbench) {
  fputs("<h2>Files</h2>\n<p><a href=\"stimulus.csv\">stimulus.csv</a>, <a href=\"wave.fst\">wave.fst</a> with <a "
        "href=\"wave.gtkw\">wave.gtkw</a>, <a href=\"divergence.wave.json\">divergence.wave.json</a> (WaveJSON)",
        p->f);
  if (testbench) fputs(", <a href=\"divergence_tb.v\">divergence_tb.v</a> (Verilog test bench)", p->f);
  fputs(", <a href=\"divergence.txt\">divergence.txt</a></p>\n</body></html>\n", p->f);
}

static int write_html(const struct page *p, const struct diagram *d, bool testbench, const char *path, struct err *e) {
  struct out_file o;
  struct page to = *p;
  int status = out_file_open(&o, path, e);
  if (status) return status;
  to.f = o.f;
  put_head(&to);
  put_first(&to);
  put_suspects(&to);
  put_chain(&to);
  put_work(&to);
  fprintf(o.f, "<h2>The last %u cycles</h2>\n<div class=\"scroll\">\n", d->n_cycles);
  diagram_svg(d, o.f);
  fputs("</div>\n", o.f);
  if (d->n_left_out) fprintf(o.f, "<p class=\"soft\">Left out: %u that were 0 all the time.</p>\n", d->n_left_out);
  fputs("<h2>The same as a table</h2>\n<div class=\"scroll\">\n", o.f);
  diagram_table(d, o.f);
  fputs("</div>\n", o.f);
  put_files(&to, testbench);
  return out_file_commit(&o, e);
}

static int write_wavejson(const struct diagram *d, const char *path, struct err *e) {
  struct out_file o;
  int status = out_file_open(&o, path, e);
  if (status) return status;
  diagram_wavejson(d, o.f);
  return out_file_commit(&o, e);
}

int divergence_page_write(const char *dir, const struct divergence *v, const struct trail *t,
                          const struct explanation *x, const char *work, struct err *e) {
  static const char *const names[] = {"divergence_tb.v", "divergence.wave.json", "divergence.html"};
  char path[3][1100];
  struct page p = {.v = v, .x = x, .work = work};
  struct diagram d;
  bool testbench = t->s->n <= TESTBENCH_ROWS_MAX;
  for (int i = 0; i < 3; i++) snprintf(path[i], sizeof path[i], "%s/%s", dir, names[i]);
  int status = diagram_make(&d, t, e);
  if (!status && testbench) status = testbench_write(t->s, path[0], e);
  if (!status) status = write_wavejson(&d, path[1], e);
  if (!status) status = write_html(&p, &d, testbench, path[2], e);
  diagram_free(&d);
  return status;
}
