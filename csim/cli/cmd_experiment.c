/* SPDX-License-Identifier: Apache-2.0 */
/* tandem experiment: a paper's evaluation by one command. */
#include "base/err.h"
#include "base/json_out.h"
#include "base/out_file.h"
#include "base/process.h"
#include "claims/claims.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "experiment/experiment.h"
#include "measure/emission.h"
#include "run/session.h"

#include <glob.h>
#include <jansson.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 1024 };

struct request {
  const char *out, *runs, *scale, *emit;
  int64_t jobs;
  bool json, quick, off;
};

static int list_all(struct err *e) {
  char pattern[PATH_BYTES + 64];
  glob_t found;
  int status = 0;
  snprintf(pattern, sizeof pattern, "%s/experiments/*.yaml", session_config_dir());
  if (glob(pattern, 0, NULL, &found)) return err_set(e, ERR_FILE, "there are no experiments: %s", pattern);
  for (size_t i = 0; i < found.gl_pathc && !status; i++) {
    static struct experiment x;
    char name[64];
    const char *base = strrchr(found.gl_pathv[i], '/') + 1;
    snprintf(name, sizeof name, "%.*s", (int)(strlen(base) - strlen(".yaml")), base);
    status = experiment_open(&x, session_config_dir(), name, false, e);
    if (status) break;
    printf("%-16s %s (%s)\n", x.name, x.title, x.source);
    experiment_close(&x);
  }
  globfree(&found);
  return status;
}

static int write_text(const char *folder, const char *name, const struct experiment *x, const struct claims *c,
                      struct err *e) {
  char path[PATH_BYTES + 64];
  struct out_file o;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  int status = out_file_open(&o, path, e);
  if (status) return status;
  experiment_print(x, o.f);
  if (c) {
    fputc('\n', o.f);
    claims_print(c, true, o.f);
  }
  return out_file_commit(&o, e);
}

static int write_json(const char *folder, json_t *j, struct err *e) {
  char path[PATH_BYTES + 64];
  struct out_file o;
  snprintf(path, sizeof path, "%s/experiment.json", folder);
  int status = out_file_open(&o, path, e);
  if (status) return status;
  json_out(j, "experiment/1", 10, o.f);
  return out_file_commit(&o, e);
}

/* Tables, verdicts, files. `c`: NULL when the experiment has no claims. */
static int report(const struct request *r, const struct claims_options *o, const struct experiment *x,
                  const struct claims *c, const char *folder, struct err *e) {
  json_t *j = experiment_json(x, &o->sources);
  if (c) json_object_set_new(j, "claims", claims_json(c, o));
  int status = write_json(folder, j, e);
  if (!status) status = write_text(folder, "experiment.txt", x, c, e);
  if (!status && !r->off)
    status = experiment_draw(x, &o->sources, folder, e); /* with the proposal off a plot may have no values */
  if (!status && r->json) {
    json_out(j, "experiment/1", 10, stdout);
  } else if (!status) {
    experiment_print(x, stdout);
    if (c) {
      putchar('\n');
      claims_print(c, false, stdout);
    }
    printf("\n%s: experiment.txt, experiment.json", folder);
    for (unsigned i = 0; i < x->n_tables; i++)
      if (x->table[i].plot != PLOT_NONE && !r->off) printf(", %s.svg", x->table[i].id);
    putchar('\n');
  }
  json_decref(j);
  return status;
}

/* Runs what is missing, or adds it to o->sources.emission, and then reports. */
static int measure(const struct request *r, const char *name, struct claims_options *o, struct experiment *x,
                   struct err *e) {
  static struct claims claims;
  char folder[PATH_BYTES];
  bool open = false;
  int status = 0;
  if (r->out) snprintf(folder, sizeof folder, "%s", r->out);
  else snprintf(folder, sizeof folder, "tandem-out/%s%s", name, r->quick ? "-quick" : "");
  if (!r->emit) status = process_make_folders(folder, "name another folder with --out", e);
  if (!status) status = experiment_measure(x, &o->sources, e);
  if (!status && x->claims) {
    status = claims_open(&claims, session_config_dir(), x->claims, name, r->quick ? FORM_QUICK : FORM_FULL, e);
    open = !status;
  }
  if (open) status = claims_measure(&claims, o, e);
  if (!status && !r->emit) status = report(r, o, x, open ? &claims : NULL, folder, e);
  if (open) claims_close(&claims);
  return status;
}

static int run(const struct request *r, const char *name, struct err *e) {
  static struct experiment x;
  struct emission emission = {0};
  struct claims_options o = {
    .sources = {.out_dir = r->runs, .seeds = 2, .off = r->off, .progress = isatty(2), .jobs = (unsigned)r->jobs},
    .scale_measured = 1};
  int status = claims_scale("--scale", r->scale, &o.scale, e);
  if (!status && r->emit && r->json)
    status = err_set(e, ERR_USAGE, "--emit prints runs and --json results; leave one of them out");
  if (!status && r->emit) status = emission_open(&emission, r->emit, r->runs, e);
  if (r->emit) o.sources.emission = &emission;
  if (!status) status = experiment_open(&x, session_config_dir(), name, r->quick, e);
  if (!status) {
    status = measure(r, name, &o, &x, e);
    experiment_close(&x);
  }
  if (!status && r->emit) emission_write(&emission, stdout);
  emission_close(&emission);
  return status;
}

int cmd_experiment(int argc, char **argv) {
  struct request r = {.runs = "tandem-out/runs"};
  const struct cli_option options[] = {
    {"--quick", CLI_FLAG, &r.quick, NULL, "use small sizes (under a minute)", 0, 0},
    {"--json", CLI_FLAG, &r.json, NULL, "print tables and verdicts as JSON", 0, 0},
    {"--out", CLI_TEXT, &r.out, "DIR",
     "folder for tables and plots (default: tandem-out/NAME, with --quick tandem-out/NAME-quick)", 0, 0},
    {"--runs", CLI_TEXT, &r.runs, "DIR", "folder in which runs are kept (default: tandem-out/runs)", 0, 0},
    {"--jobs", CLI_NUMBER, &r.jobs, "N", "runs at a time (default: one for each processor)", 1, 1024},
    {"--emit", CLI_TEXT, &r.emit, "FORMAT",
     "run nothing; print the missing runs for another runner: slurm, parallel or snakemake", 0, 0},
    {"--off", CLI_FLAG, &r.off, NULL, "switch the proposal off in every run; no speed-up may remain", 0, 0},
    {"--scale", CLI_TEXT, &r.scale, "X", "multiply every published number by X; verdicts must change", 0, 0},
    {0}};
  const struct cli_command command = {.name = "experiment",
                                      .brief =
                                        "Repeats a paper's evaluation: runs, tables, plots, and a verdict on each "
                                        "published number. Without NAME: lists the experiments.",
                                      .usage = "[NAME] [options]",
                                      .example = "tandem experiment d2ma --quick --out /tmp/d2ma",
                                      .options = options,
                                      .positional_min = 0,
                                      .positional_max = 1};
  struct err e = {0};
  const char *name = NULL;
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, &name, &n, &help, &e);
  if (help) return 0;
  if (!status) status = n ? run(&r, name, &e) : list_all(&e);
  return status ? cli_fail("experiment", &e) : 0;
}
