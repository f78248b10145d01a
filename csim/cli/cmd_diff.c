/* SPDX-License-Identifier: Apache-2.0 */
/* tandem diff: what differs between two finished runs, two waves or two stimuli. */
#include "base/err.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/diff_inputs.h"
#include "cli/options.h"
#include "report/diff.h"

#include <string.h>

static const char *const orders[] = {"relative", "change", "name", NULL};

static int order_of(const char *text, enum diff_order *order, struct err *e) {
  for (unsigned i = 0; orders[i]; i++)
    if (!strcmp(orders[i], text)) {
      *order = i;
      return 0;
    }
  return err_set(e, ERR_USAGE, "--sort %s: write relative, change or name", text);
}

int cmd_diff(int argc, char **argv) {
  bool json = false, results = false;
  const char *sort = "relative", *out = "tandem-out/diff";
  int64_t top = 20;
  const struct cli_option options[] = {
    {"--results", CLI_FLAG, &results, NULL,
     "let only results decide the exit code: verdict, statistics, events, not the configuration", 0, 0},
    {"--sort", CLI_TEXT, &sort, "relative|change|name", "order of the statistics (default: relative)", 0, 0},
    {"--top", CLI_NUMBER, &top, "N", "rows of each table (default: 20; 0: all)", 0, UINT32_MAX},
    {"--out", CLI_TEXT, &out, "DIR",
     "of two waves: folder for the wave of both and its views (default: tandem-out/diff)", 0, 0},
    {"--json", CLI_FLAG, &json, NULL, "print every difference as JSON", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "diff",
    .brief =
      "Compares two finished runs: configuration keys, statistics and, of runs with --events, the first event in "
      "which they differ. Of two waves (.fst, .vcd) it prints the first time at which they differ, with the signals in the order\n"
      "of data flow, of two stimuli (.csv) the first cycle. Exit code 0: the same; 1: different.",
    .usage = "DIR DIR|WAVE WAVE|STIMULUS STIMULUS [options]",
    .example = "tandem run saxpy:n=8192 --out /tmp/a && tandem run saxpy:n=8192 --no-skip --out /tmp/b && tandem diff "
               "/tmp/a /tmp/b --results",
    .options = options,
    .positional_min = 2,
    .positional_max = 2};
  static struct diff d;
  struct err e = {0};
  enum diff_kind kind = DIFF_RUNS;
  enum diff_order order = DIFF_BY_RELATIVE;
  const char *dir[2];
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, dir, &n, &help, &e);
  if (help) return 0;
  if (!status) status = order_of(sort, &order, &e);
  if (!status) status = diff_kind_of(dir, &kind, &e);
  if (!status && kind != DIFF_RUNS) {
    bool differs = false;
    status = kind == DIFF_WAVES ? diff_waves(dir, out, (uint32_t)top, json, &differs, &e)
                                : diff_stimuli(dir, json, &differs, &e);
    return status ? cli_fail("diff", &e) : differs;
  }
  if (!status) status = diff_load(&d, dir, order, &e);
  if (status) return cli_fail("diff", &e);
  if (json) diff_print_json(&d, results, stdout);
  else diff_print(&d, (uint32_t)top, stdout);
  int code = diff_differs(&d, results);
  diff_free(&d);
  return code;
}
