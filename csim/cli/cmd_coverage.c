/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "base/json_out.h"
#include "base/process.h"
#include "blocktest/coverage_total.h"
#include "blocktest/rtl_report.h"
#include "cli/commands.h"
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

enum { FILES_MAX = 256 };

struct options {
  const char *out, *lcov, *annotate;
  bool hits, json;
};

/* Reads the files, each of its own or in a folder, and adds them up. */
static int read_all(const char *const *name, unsigned n, json_t *total, struct err *e) {
  int status = 0;
  for (unsigned i = 0; i < n && !status; i++) {
    json_t *one;
    status = coverage_read(name[i], &one, e);
    if (status) break;
    coverage_total_merge(total, one);
    json_decref(one);
  }
  return status;
}

static int report_rtl(const json_t *total, const struct options *o, bool *faults, struct err *e) {
  struct rtl_reasons *reasons;
  if (!json_object_size(json_object_get(total, "rtl"))) {
    if (!o->lcov && !o->annotate) return 0;
    return err_set(
      e, ERR_VALUE,
      "none of the files has lines and toggles; write them with tandem check, replay or run and --rtl-coverage");
  }
  int status = rtl_reasons_open(&reasons, e);
  if (status) return status;
  if (!o->json) rtl_report_print(total, reasons, stdout);
  *faults |= rtl_report_summary(total, reasons).false_reasons > 0;
  if (o->lcov) status = rtl_report_lcov(total, o->lcov, e);
  if (!status && o->annotate) status = rtl_report_annotate(total, reasons, o->annotate, e);
  rtl_reasons_close(reasons);
  return status;
}

int cmd_coverage(int argc, char **argv) {
  struct options o = {.hits = false};
  const struct cli_option options[] = {
    {"--hits", CLI_FLAG, &o.hits, NULL, "print the points that were hit, too", 0, 0},
    {"--lcov", CLI_TEXT, &o.lcov, "FILE", "write lines and branches of the RTL as an lcov tracefile", 0, 0},
    {"--annotate", CLI_TEXT, &o.annotate, "DIR", "write the RTL with the hits of each line to this folder", 0, 0},
    {"--out", CLI_TEXT, &o.out, "DIR", "write the sum as " COVERAGE_FILE " to this folder", 0, 0},
    {"--json", CLI_FLAG, &o.json, NULL, "print the sum as JSON, and nothing else", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "coverage",
    .brief =
      "Adds up what checks, replays and runs have reached: coverage points of blocks, lines and toggles of the RTL.",
    .usage = "DIR|FILE... [options]",
    .example = "tandem check rr_arb --cycles 1000 --coverage --out /tmp/cov; tandem coverage /tmp/cov",
    .options = options,
    .positional_min = 1,
    .positional_max = FILES_MAX};
  struct err e = {0};
  const char *name[FILES_MAX];
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, name, &n, &help, &e);
  if (help) return 0;
  json_t *total = coverage_total_new();
  if (!status) status = read_all(name, n, total, &e);
  bool faults = coverage_has_faults(total);
  if (!status && o.json) json_out(total, "coverage/1", 0, stdout);
  if (!status && !o.json) coverage_print(total, o.hits, stdout);
  if (!status) status = report_rtl(total, &o, &faults, &e);
  if (!status && o.out) status = process_make_folders(o.out, "name a writable one with --out", &e);
  if (!status && o.out) status = coverage_write(total, o.out, &e);
  json_decref(total);
  return status ? cli_fail("coverage", &e) : faults;
}
