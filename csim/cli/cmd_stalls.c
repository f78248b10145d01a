/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "report/stalls.h"

int cmd_stalls(int argc, char **argv) {
  bool json = false;
  const char *plot = NULL;
  const struct cli_option options[] = {
    {"--plot", CLI_TEXT, &plot, "FILE", "draw stacked bars to FILE (.svg or .png)", 0, 0},
    {"--json", CLI_FLAG, &json, NULL, "print the table as JSON, in cycles", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "stalls",
    .brief = "Shows where the cycles of a run went, by kernel and by SM: issue, each cause of a stall, no CTA.",
    .usage = "DIR [--plot FILE] [--json]",
    .example = "tandem run sgemv:m=960 --out /tmp/s && tandem stalls /tmp/s --plot /tmp/s/stalls.svg",
    .options = options,
    .positional_min = 1,
    .positional_max = 1};
  struct err e = {0};
  struct stalls stalls;
  const char *dir;
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, &dir, &n, &help, &e);
  if (help) return 0;
  if (!status) status = stalls_load(&stalls, dir, &e);
  if (status) return cli_fail("stalls", &e);
  if (json) stalls_print_json(&stalls, stdout);
  else stalls_print(&stalls, stdout);
  if (plot) status = stalls_plot(&stalls, plot, &e);
  stalls_free(&stalls);
  return status ? cli_fail("stalls", &e) : 0;
}
