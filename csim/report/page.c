/* SPDX-License-Identifier: Apache-2.0 */
#include "report/page.h"

#include "base/err.h"
#include "base/markup.h"
#include "base/out_file.h"
#include "report/page_parts.h"

#include <string.h>
#include <unistd.h>

static const char style[] =
  ":root{color-scheme:light dark;--ink:#1c1c1c;--soft:#5a5a5a;--paper:#fff;--line:#dcdcdc;--box:#f5f6f7;--idle:#d8d8d8;"
  "--good:#2e7d32;--bad:#b3261e;--accent:#1565c0}"
  "@media(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--soft:#a0a0a0;--paper:#16181b;--line:#34383d;--box:#1f2226;"
  "--idle:#4a4f55;--good:#81c784;--bad:#ff8a80;--accent:#64b5f6}}"
  "body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:1040px;margin:2em auto;"
  "padding:0 1em}"
  "h1{overflow-wrap:anywhere;font-size:1.5em;margin-bottom:.1em}h2{font-size:1.2em;margin:2em 0 .3em}h3{font-size:1em;margin:1.2em 0 .2em}"
  "p{margin:.3em 0}.soft{color:var(--soft)}.pass{color:var(--good)}.fail{color:var(--bad)}"
  ".tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:.6em;margin:1em 0}"
  ".tile{background:var(--box);border-radius:.4em;padding:.5em .7em}.tile b{display:block;font-size:1.25em;"
  "font-variant-numeric:tabular-nums}.tile span{color:var(--soft);font-size:.85em}"
  "table{border-collapse:collapse;width:100%;font-size:.93em}th,td{padding:.25em .6em;border-bottom:1px solid "
  "var(--line);text-align:left;vertical-align:top}th{background:var(--box)}"
  "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}tr.set td{font-weight:600}"
  "svg{max-width:100%;height:auto;display:block;margin:.3em 0}svg text{fill:var(--ink);font:12px system-ui,sans-serif}"
  "svg .grid{stroke:var(--line)}svg .mark{stroke:var(--ink);stroke-dasharray:3 3}"
  "svg .line{fill:none;stroke-width:1.6;stroke-linejoin:round}"
  ".legend{font-size:.88em}.legend span{white-space:nowrap;margin-right:1em}.legend i{display:inline-block;width:.8em;"
  "height:.8em;margin-right:.35em;border-radius:.15em}"
  "details{margin:.6em 0}summary{cursor:pointer;font-weight:600}code{background:var(--box);padding:0 .25em}"
  ".scroll{overflow-x:auto}@media print{body{max-width:none}}";

/* A table that the run may have. */
static int load_if_there(const struct page *p, const char *name, struct csv *t, struct err *e) {
  char path[RUN_PATH_BYTES];
  snprintf(path, sizeof path, "%s/%s", p->dir, name);
  return access(path, F_OK) ? 0 : csv_load(t, path, e);
}

static int load(struct page *p, const char *dir, struct err *e) {
  memset(p, 0, sizeof *p);
  p->dir = dir;
  p->run = run_file_load(dir, e);
  if (!p->run) return (int)e->code;
  int status = stalls_load(&p->stalls, dir, e);
  if (!status) status = load_if_there(p, "samples.csv", &p->samples, e);
  if (!status) status = load_if_there(p, "samples.sm.csv", &p->sms, e);
  if (!status) status = load_if_there(p, "histograms.csv", &p->histograms, e);
  char path[RUN_PATH_BYTES];
  snprintf(path, sizeof path, "%s/lines.csv", dir);
  if (!status && !access(path, F_OK)) status = lines_load(&p->lines, dir, e);
  return status;
}

static void release(struct page *p) {
  stalls_free(&p->stalls);
  csv_free(&p->samples);
  csv_free(&p->sms);
  csv_free(&p->histograms);
  lines_free(&p->lines);
  json_decref(p->run);
}

static void put_head(const struct page *p) {
  const json_t *config = json_object_get(p->run, "config"), *verdict = json_object_get(p->run, "verdict");
  const char *machine = json_string_value(json_object_get(config, "machine"));
  const char *result = json_string_value(json_object_get(verdict, "result"));
  const char *reason = json_string_value(json_object_get(verdict, "reason"));
  char title[256];
  run_file_title(p->run, title, sizeof title);
  fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\"><title>",
        p->f);
  markup_put(p->f, title);
  fprintf(p->f, "</title><style>%s</style></head><body>\n<h1>", style);
  markup_put(p->f, title);
  bool pass = result && !strcmp(result, "pass");
  fputs("</h1>\n<p class=\"soft\">on ", p->f);
  markup_put(p->f, machine ? machine : "?");
  fprintf(p->f, ", <b class=\"%s\">", pass ? "pass" : "fail");
  markup_put(p->f, result ? result : "?");
  fputs("</b>", p->f);
  if (reason && *reason) fputs(": ", p->f), markup_put(p->f, reason);
  const char *version = json_string_value(json_object_get(json_object_get(p->run, "versions"), "tandem"));
  fputs("; Tandem ", p->f);
  markup_put(p->f, version ? version : "?");
  fputs("</p>\n", p->f);
}

/* What a run can also leave, and the option for it. */
static void put_missing(const struct page *p) {
  const char *word[] = {"<code>--sample N</code> (counters over time)", "<code>--lines</code> (cycles by line of PTX)",
                        "<code>--histograms</code> (latencies)"};
  const bool missing[] = {!p->samples.columns, !p->lines.n, !p->histograms.columns};
  const char *before = "<p class=\"soft\">This run was made without ";
  for (int i = 0; i < 3; i++) {
    if (!missing[i]) continue;
    fprintf(p->f, "%s%s", before, word[i]);
    before = ", ";
  }
  if (*before == ',') fputs(".</p>\n", p->f);
}

int page_write(const char *dir, const char *path, struct err *e) {
  struct page p;
  struct out_file o = {.f = NULL};
  int status = load(&p, dir, e);
  if (!status) status = out_file_open(&o, path, e);
  if (!status) {
    p.f = o.f;
    put_head(&p);
    page_figures(&p);
    page_stalls(&p);
    page_time(&p);
    page_lines(&p);
    page_latencies(&p);
    put_missing(&p);
    page_launches(&p);
    page_details(&p);
    fputs("</body></html>\n", p.f);
    status = out_file_commit(&o, e);
  }
  release(&p);
  return status;
}
