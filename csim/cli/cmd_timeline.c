/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "report/timeline.h"

int cmd_timeline(int argc, char **argv) {
  bool json = false;
  const char *plot = NULL;
  int64_t sm = 0, launch = 0, from = 0, to = INT64_MAX, before = 2000;
  const struct cli_option options[] = {
    {"--sm", CLI_NUMBER, &sm, "N", "SM to show (default: 0)", 0, UINT16_MAX},
    {"--launch", CLI_NUMBER, &launch, "N", "launch of the run to show (default: 0)", 0, UINT32_MAX},
    {"--from", CLI_NUMBER, &from, "CYCLE", "show events that begin in this core cycle or later (default: 0)", 0,
     INT64_MAX},
    {"--to", CLI_NUMBER, &to, "CYCLE", "show events that begin before this core cycle (default: the end)", 1,
     INT64_MAX},
    {"--before", CLI_NUMBER, &before, "CYCLE",
     "with --json: count compute phases that begin before this cycle (default: 2000)", 0, INT64_MAX},
    {"--plot", CLI_TEXT, &plot, "FILE", "draw one lane per CTA to FILE (.svg or .png)", 0, 0},
    {"--json", CLI_FLAG, &json, NULL, "print figures of all CTAs and of each CTA as JSON", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "timeline",
    .brief =
      "Shows when the CTAs of an SM copied tiles (address generation, memory) and when they computed. The run needs "
      "--events.",
    .usage = "DIR [options]",
    .example =
      "tandem run saxpy:n=8192,ctas=2 --set sm.count=1 --events --out /tmp/s && tandem timeline /tmp/s --to 3000 "
      "--plot /tmp/s/timeline.svg",
    .options = options,
    .positional_min = 1,
    .positional_max = 1};
  struct err e = {0};
  struct timeline timeline;
  const char *dir;
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, &dir, &n, &help, &e);
  if (help) return 0;
  struct timeline_window window = {(uint64_t)launch, (uint64_t)sm, (uint64_t)from, (uint64_t)to};
  if (!status) status = timeline_load(&timeline, dir, &window, &e);
  if (status) return cli_fail("timeline", &e);
  if (json) timeline_print_json(&timeline, (uint64_t)before, stdout);
  else timeline_print(&timeline, stdout);
  if (plot) status = timeline_plot(&timeline, plot, &e);
  timeline_free(&timeline);
  return status ? cli_fail("timeline", &e) : 0;
}
