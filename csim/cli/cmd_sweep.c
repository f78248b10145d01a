/* SPDX-License-Identifier: Apache-2.0 */
/* tandem sweep: a run for each combination of values. */
#include "base/err.h"
#include "base/json_out.h"
#include "base/process.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "experiment/experiment.h"
#include "experiment/sweep.h"
#include "measure/emission.h"
#include "run/session.h"

#include <jansson.h>
#include <string.h>
#include <unistd.h>

enum { WORKLOADS_MAX = 16, PATH_BYTES = 1100 };

struct request {
  const char *configurations, *systems, *extra, *out, *runs, *emit, *blocks;
  struct cli_list set, counters, params;
  int64_t jobs, seeds;
  bool json;
};

static int report(const struct request *r, const struct experiment *x, const struct sources_options *o, struct err *e) {
  char path[PATH_BYTES];
  snprintf(path, sizeof path, "%s/sweep.csv", r->out);
  int status = sweep_csv(x, path, e);
  snprintf(path, sizeof path, "%s/sweep.sqlite", r->out);
  if (!status) status = sweep_sqlite(x, path, e);
  if (!status) status = experiment_draw(x, o, r->out, e);
  if (status) return status;
  if (!r->json) {
    experiment_print(x, stdout);
    printf("\n%s: sweep.csv, sweep.sqlite, sweep.svg, sweep.yaml\n", r->out);
    return 0;
  }
  json_t *j = experiment_json(x, o);
  json_out(j, "sweep/1", 10, stdout);
  json_decref(j);
  return 0;
}

static int measure(const struct request *r, struct experiment *x, struct err *e) {
  struct emission emission;
  struct sources_options o = {
    .out_dir = r->runs, .seeds = (unsigned)r->seeds, .progress = isatty(2), .jobs = (unsigned)r->jobs};
  int status = 0;
  if (r->emit) {
    status = emission_open(&emission, r->emit, r->runs, e);
    if (status) return status;
    o.emission = &emission;
  }
  status = experiment_measure(x, &o, e);
  if (!r->emit) return status ? status : report(r, x, &o, e);
  if (!status) emission_write(&emission, stdout);
  emission_close(&emission);
  return status;
}

/* Runs and syntheses do not go together. */
static int check(const struct request *r, unsigned n_workloads, struct err *e) {
  if (!r->blocks && !n_workloads) return err_set(e, ERR_USAGE, "name a workload, or blocks by --block");
  if (!r->blocks && r->params.n)
    return err_set(e, ERR_USAGE, "--param %s: of which block? write --block BLOCK; a GPU has --set", r->params.text[0]);
  if (r->blocks && (n_workloads || r->set.n || r->configurations || r->systems || r->extra || r->emit))
    return err_set(e, ERR_USAGE,
                   "--block synthesises; leave out workloads, -c, --set, --system, --options and --emit, or --block");
  return 0;
}

static int run(const struct request *r, const char *const *workload, unsigned n, struct err *e) {
  static struct experiment x;
  static const char *const cycles[] = {"core_cycles"}, *const area[] = {"area_um2"};
  char path[PATH_BYTES];
  const struct sweep s = {.workload = workload,
                          .n_workloads = n,
                          .configurations = r->configurations,
                          .systems = r->systems,
                          .set = r->set.text,
                          .n_set = r->set.n,
                          .blocks = r->blocks,
                          .param = r->params.text,
                          .n_params = r->params.n,
                          .counter = r->counters.n ? r->counters.text
                                     : r->blocks   ? area
                                                   : cycles,
                          .n_counters = r->counters.n ? r->counters.n : 1,
                          .extra = r->extra};
  int status = check(r, n, e);
  if (!status) status = process_make_folders(r->out, "name another folder with --out", e);
  snprintf(path, sizeof path, "%s/sweep.yaml", r->out);
  if (!status) status = sweep_write(&s, path, e);
  if (!status) status = experiment_open_file(&x, session_config_dir(), path, "sweep", FORM_FULL, e);
  if (status) return status;
  status = measure(r, &x, e);
  experiment_close(&x);
  return status;
}

int cmd_sweep(int argc, char **argv) {
  struct request r = {.seeds = 2, .out = "tandem-out/sweep", .runs = "tandem-out/runs"};
  const struct cli_option options[] = {
    {"--set", CLI_LIST, &r.set, "K=A,B,...", "values of a parameter of the GPU configuration", 0, 0},
    {"-c", CLI_TEXT, &r.configurations, "A,B,...", "GPU configurations (default: that of tandem run)", 0, 0},
    {"--system", CLI_TEXT, &r.systems, "A,B,...", "proposals; none is one, too", 0, 0},
    {"--block", CLI_TEXT, &r.blocks, "A,B,...", "synthesise these blocks instead of running workloads", 0, 0},
    {"--param", CLI_LIST, &r.params, "P=A,B,...", "with --block: values of a parameter of the blocks", 0, 0},
    {"--seeds", CLI_NUMBER, &r.seeds, "N",
     "with --block: netlists of each block, of which the median counts (default: 2)", 1, 1024},
    {"--counter", CLI_LIST, &r.counters, "NAME",
     "a column of the table: a counter of the run (default: core_cycles), or a figure of tandem synth --json (default: area_um2)",
     0, 0},
    {"--options", CLI_TEXT, &r.extra, "TEXT", "further options of every run", 0, 0},
    {"--jobs", CLI_NUMBER, &r.jobs, "N", "runs at a time (default: one for each processor)", 1, 1024},
    {"--out", CLI_TEXT, &r.out, "DIR", "folder for table and plot (default: tandem-out/sweep)", 0, 0},
    {"--runs", CLI_TEXT, &r.runs, "DIR", "folder in which runs are kept (default: tandem-out/runs)", 0, 0},
    {"--emit", CLI_TEXT, &r.emit, "FORMAT",
     "run nothing; print the runs for another runner: slurm, parallel or snakemake", 0, 0},
    {"--json", CLI_FLAG, &r.json, NULL, "print the table as JSON", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "sweep",
    .brief =
      "Runs workloads over values of the GPU configuration, or synthesises blocks over values of their parameters. Finished runs are kept, so a sweep that was "
      "interrupted goes on where it was.",
    .usage = "WORKLOAD[:key=value,...] ... | --block BLOCK [options]",
    .example = "tandem sweep saxpy:n=8192 -c small --set dram.queue=4,16,64 --out /tmp/sweep --runs /tmp/sweep/runs",
    .options = options,
    .positional_min = 0,
    .positional_max = WORKLOADS_MAX};
  struct err e = {0};
  const char *workload[WORKLOADS_MAX];
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, workload, &n, &help, &e);
  if (help) return 0;
  if (!status && r.counters.n > SWEEP_COUNTERS_MAX)
    status = err_set(&e, ERR_USAGE, "--counter: more than %d counters", (int)SWEEP_COUNTERS_MAX);
  if (!status) status = run(&r, workload, n, &e);
  return status ? cli_fail("sweep", &e) : 0;
}
