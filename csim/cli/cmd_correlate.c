/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "report/correlate.h"

int cmd_correlate(int argc, char **argv) {
  bool json = false;
  const char *plot = NULL, *metric = NULL;
  const struct cli_option options[] = {
    {"--metric", CLI_TEXT, &metric, "NAME",
     "show this metric kernel by kernel (default: sm__cycles_elapsed.avg, or the first that both files have)", 0, 0},
    {"--plot", CLI_TEXT, &plot, "FILE", "draw a point for each launch to FILE (.svg or .png)", 0, 0},
    {"--json", CLI_FLAG, &json, NULL, "print the same figures as JSON", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "correlate",
    .brief =
      "Puts launches of a run beside the same launches on silicon: for each metric and each kernel the error, its mean absolute "
      "value and the correlation. OURS is kernels.csv of tandem run --kernels; THEIRS is what ncu --csv printed, or another "
      "kernels.csv. The n-th launch of a kernel's name stands beside the n-th.",
    .usage = "OURS.csv THEIRS.csv [options]",
    .example =
      "tandem run saxpy:n=4096 --kernels --out /tmp/s && tandem run saxpy:n=4096 -c small --kernels --out /tmp/t && "
      "tandem correlate /tmp/s/kernels.csv /tmp/t/kernels.csv --plot /tmp/s/correlation.svg",
    .options = options,
    .positional_min = 2,
    .positional_max = 2};
  struct err e = {0};
  struct correlation c;
  const char *files[2];
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, files, &n, &help, &e);
  if (help) return 0;
  if (!status) status = correlate_load(&c, files[0], files[1], metric, &e);
  if (status) return cli_fail("correlate", &e);
  if (plot) status = correlate_plot(&c, plot, &e);
  if (!status && json) correlate_print_json(&c, stdout);
  else if (!status) correlate_print(&c, stdout);
  correlate_free(&c);
  return status ? cli_fail("correlate", &e) : 0;
}
