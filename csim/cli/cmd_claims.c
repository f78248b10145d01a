/* SPDX-License-Identifier: Apache-2.0 */
/* tandem claims: every published number, our figure beside it, and a verdict. */
#include "base/err.h"
#include "base/out_file.h"
#include "claims/claims.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "run/session.h"
#include "synth/synth.h"

#include <glob.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SYSTEMS_MAX = 32 };

struct request {
  const char *html, *out, *scale;
  int64_t seeds;
  bool json, why, off, quick;
};

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

static int options_of(const struct request *r, struct claims_options *o, struct err *e) {
  *o = (struct claims_options){
    .sources = {.out_dir = r->out, .seeds = (unsigned)r->seeds, .off = r->off, .progress = isatty(2)}};
  return claims_scale(r->scale, &o->scale, e);
}

static void print_counts(const struct claims *all, unsigned n) {
  printf("%-16s", "system");
  for (int v = 0; v < VERDICTS; v++) printf(" %15s", verdict_names[v]);
  printf("  source\n");
  for (unsigned i = 0; i < n; i++) {
    printf("%-16s", all[i].system);
    for (int v = 0; v < VERDICTS; v++) printf(" %15u", claims_count(&all[i], (enum verdict)v));
    printf("  %s\n", all[i].source);
  }
}

static int report(const struct request *r, const struct claims_options *o, const struct claims *all, unsigned n,
                  bool one, struct err *e) {
  if (r->json) {
    json_t *list = json_array();
    for (unsigned i = 0; i < n; i++) json_array_append_new(list, claims_json(&all[i], o));
    json_dumpf(list, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
    putchar('\n');
    json_decref(list);
  } else if (one) {
    claims_print(all, r->why, stdout);
  } else {
    print_counts(all, n);
  }
  return r->html ? claims_html(all, n, r->html, e) : 0;
}

static int run(const struct request *r, const char *system, struct err *e) {
  static struct claims all[SYSTEMS_MAX];
  char names[SYSTEMS_MAX][64];
  unsigned n = 0, open = 0;
  struct claims_options options;
  struct out_file probe; /* runs may take minutes: find out first whether the page can be written */
  int status = options_of(r, &options, e);
  if (!status && r->html) status = out_file_open(&probe, r->html, e);
  if (!status && r->html) out_file_abandon(&probe);
  if (!status && system) snprintf(names[n++], sizeof names[0], "%s", system);
  else if (!status) status = all_systems(names, &n, e);
  for (unsigned i = 0; i < n && !status; i++) {
    status = claims_open(&all[i], session_config_dir(), names[i], NULL, r->quick, e);
    if (status) break;
    open++;
    status = claims_measure(&all[i], &options, e);
  }
  if (!status) status = report(r, &options, all, n, system, e);
  for (unsigned i = 0; i < open; i++) claims_close(&all[i]);
  return status;
}

int cmd_claims(int argc, char **argv) {
  struct request r = {.seeds = SYNTH_SEEDS, .out = "tandem-out/runs"};
  const struct cli_option options[] = {
    {"--why", CLI_FLAG, &r.why, NULL, "print reason and expression of each verdict", 0, 0},
    {"--quick", CLI_FLAG, &r.quick, NULL, "use the quick forms of the experiments", 0, 0},
    {"--json", CLI_FLAG, &r.json, NULL, "print a JSON array with one element per proposal", 0, 0},
    {"--html", CLI_TEXT, &r.html, "FILE", "write a web page with tables and plots", 0, 0},
    {"--seeds", CLI_NUMBER, &r.seeds, "N", "netlists for the error band of a design (default: 16)", 2, SYNTH_SEEDS_MAX},
    {"--runs", CLI_TEXT, &r.out, "DIR", "folder in which runs are kept (default: tandem-out/runs)", 0, 0},
    {"--off", CLI_FLAG, &r.off, NULL, "switch the proposal off in every run; no speed-up may remain", 0, 0},
    {"--scale", CLI_TEXT, &r.scale, "X", "multiply every published number by X; verdicts must change", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "claims",
    .brief = "Prints every published number of a proposal, our figure beside it, and a verdict computed from both.",
    .usage = "[PROPOSAL] [options]",
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
