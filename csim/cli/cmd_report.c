/* SPDX-License-Identifier: Apache-2.0 */
/* tandem report: a run as one HTML page. */
#include "base/err.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "report/page.h"
#include "report/run_file.h"

int cmd_report(int argc, char **argv) {
  const char *out = NULL;
  const struct cli_option options[] = {{"--out", CLI_TEXT, &out, "FILE", "the page (default: DIR/report.html)", 0, 0},
                                       {0}};
  const struct cli_command command = {
    .name = "report",
    .brief =
      "Writes a run as one HTML page: figures, stalls, launches, configuration, counters; with --sample, --histograms and --lines of the "
      "run also counters over time, latencies, lines of PTX. The page needs no network, no script and no other file.",
    .usage = "DIR [--out FILE]",
    .example = "tandem run sgemv:m=960 --sample 500 --histograms --lines --out /tmp/g && tandem report /tmp/g",
    .options = options,
    .positional_min = 1,
    .positional_max = 1};
  struct err e = {0};
  char path[RUN_PATH_BYTES];
  const char *dir;
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, &dir, &n, &help, &e);
  if (help) return 0;
  if (!status) {
    snprintf(path, sizeof path, "%s%s", out ? out : dir, out ? "" : "/report.html");
    status = page_write(dir, path, &e);
  }
  if (status) return cli_fail("report", &e);
  printf("%s\n", path);
  return 0;
}
