/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "report/lines.h"
#include "report/stalls.h"

static int print_lines(const char *dir, bool json, uint32_t most, struct err *e) {
  struct lines lines;
  int status = lines_load(&lines, dir, e);
  if (status) return status;
  if (json) lines_print_json(&lines, stdout);
  else lines_print(&lines, most, stdout);
  lines_free(&lines);
  return 0;
}

static int print_stalls(const char *dir, bool json, const char *plot, struct err *e) {
  struct stalls stalls;
  int status = stalls_load(&stalls, dir, e);
  if (status) return status;
  if (json) stalls_print_json(&stalls, stdout);
  else stalls_print(&stalls, stdout);
  if (plot) status = stalls_plot(&stalls, plot, e);
  stalls_free(&stalls);
  return status;
}

int cmd_stalls(int argc, char **argv) {
  bool json = false, lines = false;
  int64_t top = 20;
  const char *plot = NULL;
  const struct cli_option options[] = {
    {"--lines", CLI_FLAG, &lines, NULL, "by line of PTX, the one with most cycles first; the run needs --lines", 0, 0},
    {"--top", CLI_NUMBER, &top, "N", "with --lines: lines of the table (default: 20; 0: all)", 0, UINT32_MAX},
    {"--plot", CLI_TEXT, &plot, "FILE", "draw stacked bars to FILE (.svg or .png)", 0, 0},
    {"--json", CLI_FLAG, &json, NULL, "print the table as JSON, in cycles", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "stalls",
    .brief = "Shows where the cycles of a run went, by kernel and by SM, or by line of PTX: issue, each cause of a "
             "stall, no CTA.",
    .usage = "DIR [--plot FILE] [--lines] [--json]",
    .example = "tandem run sgemv:m=960 --lines --out /tmp/s && tandem stalls /tmp/s --plot /tmp/s/stalls.svg && "
               "tandem stalls /tmp/s --lines",
    .options = options,
    .positional_min = 1,
    .positional_max = 1};
  struct err e = {0};
  const char *dir;
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, &dir, &n, &help, &e);
  if (help) return 0;
  if (!status && lines && plot)
    status = err_set(&e, ERR_USAGE, "--plot draws kernels and SMs, not lines; leave out --lines");
  if (!status) status = lines ? print_lines(dir, json, (uint32_t)top, &e) : print_stalls(dir, json, plot, &e);
  return status ? cli_fail("stalls", &e) : 0;
}
