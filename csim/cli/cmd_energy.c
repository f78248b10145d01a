/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "base/place.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "measure/energy.h"
#include "report/run_file.h"

static int print(const char *dir, const char *table, bool json, struct err *e) {
  char path[RUN_PATH_BYTES];
  struct energy energy;
  if (!table) snprintf(path, sizeof path, "%s/energy.yaml", place_configs());
  int status = energy_open(&energy, table ? table : path, e);
  if (status) return status;
  json_t *run = run_file_load(dir, e);
  status = !run   ? (int)e->code
           : json ? energy_print_json(&energy, run, stdout, e)
                  : energy_print(&energy, run, stdout, e);
  json_decref(run);
  energy_close(&energy);
  return status;
}

int cmd_energy(int argc, char **argv) {
  bool json = false;
  const char *table = NULL;
  const struct cli_option options[] = {
    {"--table", CLI_TEXT, &table, "FILE", "what events cost (default: configs/energy.yaml)", 0, 0},
    {"--json", CLI_FLAG, &json, NULL, "print the table as JSON", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "energy",
    .brief =
      "Shows what the events of a run cost in nanojoules, by part of the GPU, with the ends of each figure's band "
      "and its source (configs/energy.yaml).",
    .usage = "DIR [--table FILE] [--json]",
    .example = "tandem run vecadd:n=4096 --out /tmp/v && tandem energy /tmp/v",
    .options = options,
    .positional_min = 1,
    .positional_max = 1};
  struct err e = {0};
  const char *dir;
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, &dir, &n, &help, &e);
  if (help) return 0;
  if (!status) status = print(dir, table, json, &e);
  return status ? cli_fail("energy", &e) : 0;
}
