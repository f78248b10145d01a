/* SPDX-License-Identifier: Apache-2.0 */
/* tandem claims: every published number, our figure beside it, and a verdict. */
#include "base/err.h"
#include "base/json_out.h"
#include "base/out_file.h"
#include "claims/claims.h"
#include "cli/commands.h"
#include "cli/junit.h"
#include "cli/options.h"
#include "measure/emission.h"
#include "run/session.h"
#include "synth/synth.h"

#include <glob.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SYSTEMS_MAX = 32 };

struct request {
  const char *html, *page, *out, *scale, *scale_measured, *swap, *drop, *emit, *junit, *experiment;
  int64_t seeds, universe, seed, jobs;
  bool json, why, off, quick;
};

/* Without --universe. */
static const int64_t no_universe = -1;

/* Names of the files in configs/claims, in alphabetical order. */
static int all_systems(char names[SYSTEMS_MAX][64], unsigned *n, struct err *e) {
  char pattern[1100];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/claims/*.yaml", session_config_dir());
  if (glob(pattern, 0, NULL, &found)) return err_set(e, ERR_FILE, "there are no claims: %s", pattern);
  for (size_t i = 0; i < found.gl_pathc && *n < SYSTEMS_MAX; i++) {
    const char *base = strrchr(found.gl_pathv[i], '/') + 1;
    snprintf(names[(*n)++], 64, "%.*s", (int)(strlen(base) - strlen(".yaml")), base);
  }
  globfree(&found);
  return 0;
}

/* Fills `names` with `system`, or with all for "all". Refuses NULL, and a name without file. */
static int systems_of(const char *system, char names[SYSTEMS_MAX][64], unsigned *n, struct err *e) {
  char text[512] = "";
  int status = all_systems(names, n, e);
  if (status || (system && !strcmp(system, "all"))) return status;
  for (unsigned i = 0, at = 0; i < *n; i++) {
    if (system && !strcmp(names[i], system)) {
      memmove(names[0], names[i], sizeof names[0]);
      *n = 1;
      return 0;
    }
    if (at < sizeof text) at += (unsigned)snprintf(text + at, sizeof text - at, "%s%s", i ? ", " : "", names[i]);
  }
  if (!system) return err_set(e, ERR_USAGE, "name a proposal, or all: %s", text);
  return err_set(e, ERR_VALUE, "there are no claims of '%s'; there are those of %s", system, text);
}

static int options_of(const struct request *r, struct claims_options *o, struct err *e) {
  *o = (struct claims_options){.sources = {.out_dir = r->out,
                                           .seeds = (unsigned)r->seeds,
                                           .off = r->off,
                                           .progress = isatty(2),
                                           .jobs = (unsigned)r->jobs},
                               .swap = r->swap,
                               .drop = r->drop};
  int status = claims_scale("--scale", r->scale, &o->scale, e);
  return status ? status : claims_scale("--scale-measured", r->scale_measured, &o->scale_measured, e);
}

static int report(const struct request *r, const struct claims_options *o, const struct claims *all, unsigned n,
                  bool one, struct err *e) {
  if (r->json) {
    json_t *list = json_array();
    for (unsigned i = 0; i < n; i++) json_array_append_new(list, claims_json(&all[i], o));
    json_out(list, "claims/1", 10, stdout);
    json_decref(list);
  } else if (one) {
    claims_print(all, r->why, stdout);
  } else {
    claims_print_summary(all, n, stdout);
  }
  int status = r->html ? claims_html(all, n, r->html, e) : 0;
  return status || !r->page ? status : claims_page(&all[0], r->page, e);
}

/* One case for each published number: reproduced passes, direction only and not reproduced fail; of the others nothing can be said. */
static void report_cases(const struct claims *all, unsigned n, struct junit *j) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < all[i].n_claims; k++) {
      const struct claim *q = &all[i].claims[k];
      char verdict[96], message[1200];
      if (q->left_out) continue;
      bool failed = q->verdict == VERDICT_DIRECTION_ONLY || q->verdict == VERDICT_NOT_REPRODUCED;
      claim_verdict_text(q, verdict, sizeof verdict);
      snprintf(message, sizeof message, "%s: %s (%s)", verdict, q->reason, q->text);
      junit_case(j, all[i].system, q->id, 0,
                 q->verdict == VERDICT_REPRODUCED ? JUNIT_PASSED
                 : failed                         ? JUNIT_FAILED
                                                  : JUNIT_SKIPPED,
                 message);
    }
}

/* Runs may take minutes: finds out first whether a file can be written. */
static int probe(const char *path, struct err *e) {
  struct out_file o;
  int status = path ? out_file_open(&o, path, e) : 0;
  if (path && !status) out_file_abandon(&o);
  return status;
}

static int measure(const struct request *r, const struct claims_options *o, struct claims *c, struct err *e) {
  int status = claims_measure(c, o, e);
  if (status || r->universe == no_universe) return status;
  return claims_universe(c, o, session_config_dir(), (unsigned)r->universe, (uint64_t)r->seed, e);
}

static int run(const struct request *r, const char *system, struct err *e) {
  static struct claims all[SYSTEMS_MAX];
  char names[SYSTEMS_MAX][64];
  unsigned n = 0, open = 0;
  struct claims_options options;
  struct emission emission = {0};
  struct junit junit;
  int status = junit_open(&junit, r->junit, "tandem claims", e);
  if (!status) status = options_of(r, &options, e);
  if (!status) status = systems_of(system, names, &n, e);
  if (!status && r->emit) status = emission_open(&emission, r->emit, r->out, e);
  if (r->emit) options.sources.emission = &emission;
  bool one = system && strcmp(system, "all") != 0;
  if (!status && r->page && !one) status = err_set(e, ERR_USAGE, "--page: name one proposal");
  if (!status && r->experiment && !one) status = err_set(e, ERR_USAGE, "--experiments: name one proposal");
  if (!status) status = probe(r->html, e);
  if (!status) status = probe(r->page, e);
  for (unsigned i = 0; i < n && !status; i++) {
    status =
      claims_open_part(&all[i], session_config_dir(), names[i], r->experiment, r->quick ? FORM_QUICK : FORM_FULL, e);
    if (status) break;
    open++;
    status = measure(r, &options, &all[i], e);
  }
  if (!status && r->emit) emission_write(&emission, stdout);
  else if (!status) status = report(r, &options, all, n, one, e);
  if (!status && !r->emit) report_cases(all, n, &junit);
  status = junit_close(&junit, status, e);
  emission_close(&emission);
  for (unsigned i = 0; i < open; i++) claims_close(&all[i]);
  return status;
}

int cmd_claims(int argc, char **argv) {
  struct request r = {.seeds = SYNTH_SEEDS, .universe = no_universe, .seed = 1, .out = "tandem-out/runs"};
  const struct cli_option options[] = {
    {"--why", CLI_FLAG, &r.why, NULL, "print reason and expression of each verdict", 0, 0},
    {"--quick", CLI_FLAG, &r.quick, NULL, "use the quick forms of the experiments", 0, 0},
    {"--experiments", CLI_TEXT, &r.experiment, "LIST",
     "leave out what other experiments than these, with commas between, and netlists measure", 0, 0},
    {"--json", CLI_FLAG, &r.json, NULL, "print a JSON array with one element per proposal", 0, 0},
    {"--html", CLI_TEXT, &r.html, "FILE", "write a web page with tables and plots", 0, 0},
    {"--junit", CLI_TEXT, &r.junit, "FILE",
     "write the verdicts as JUnit XML: direction only and not reproduced are failures, other open verdicts skipped", 0,
     0},
    {"--seeds", CLI_NUMBER, &r.seeds, "N", "netlists for the error band of a design (default: 16)", 2, SYNTH_SEEDS_MAX},
    {"--runs", CLI_TEXT, &r.out, "DIR", "folder in which runs are kept (default: tandem-out/runs)", 0, 0},
    {"--universe", CLI_NUMBER, &r.universe, "N",
     "measure each open choice alone and N random combinations, too; verdicts are over all of them", 0, 10000},
    {"--seed", CLI_NUMBER, &r.seed, "S", "seed of the random combinations (default: 1)", 0, INT64_MAX},
    {"--jobs", CLI_NUMBER, &r.jobs, "N", "runs at a time (default: one for each processor)", 1, 1024},
    {"--emit", CLI_TEXT, &r.emit, "FORMAT",
     "run nothing; print the runs for another runner: slurm, parallel or snakemake", 0, 0},
    {"--page", CLI_TEXT, &r.page, "FILE.md", "write the page of docs/results, with strips in FILE.svg", 0, 0},
    {"--off", CLI_FLAG, &r.off, NULL, "switch the proposal off in every run; no speed-up may remain", 0, 0},
    {"--scale", CLI_TEXT, &r.scale, "X", "multiply every published number by X; verdicts must change", 0, 0},
    {"--scale-measured", CLI_TEXT, &r.scale_measured, "X", "multiply every measured figure by X; verdicts must change",
     0, 0},
    {"--swap", CLI_TEXT, &r.swap, "A:B", "exchange sources with A and B in their names; verdicts must change", 0, 0},
    {"--drop", CLI_TEXT, &r.drop, "ITEM", "leave an item out of functions over lists", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "claims",
    .brief = "Prints every published number of a proposal, our figure beside it, and a verdict computed from both.",
    .usage = "PROPOSAL|all [options]",
    .example = "tandem claims d2ma --seeds 2 --runs /tmp/runs --html /tmp/claims.html",
    .options = options,
    .positional_min = 0,
    .positional_max = 1};
  struct err e = {0};
  const char *system = NULL;
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, &system, &n, &help, &e);
  if (help) return 0;
  if (!status) status = run(&r, n ? system : NULL, &e);
  return status ? cli_fail("claims", &e) : 0;
}
