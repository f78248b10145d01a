/* SPDX-License-Identifier: Apache-2.0 */
#include "base/colour.h"
#include "base/err.h"
#include "base/json_out.h"
#include "base/process.h"
#include "blocktest/coverage_total.h"
#include "blocktest/drive_run.h"
#include "blocktest/random_run.h"
#include "cli/block_arguments.h"
#include "cli/check_profile.h"
#include "cli/commands.h"
#include "cli/junit.h"
#include "cli/shrink.h"
#include "cli/wave_argument.h"
#include "synth/certificate.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* assumption: fewer cycles do not count as a check */
enum { CERTIFYING_CYCLES = 1000000 };

struct options {
  int64_t cycles, seed, seeds, check_threads;
  bool sweep, idle, no_reset, coupled, json, shrink, coverage, rtl_coverage, guided;
  const char *profile, *save, *bug, *record, *out, *manifest, *junit, *wave, *map;
  struct cli_list params;
};

struct totals {
  struct junit junit;
  json_t *rows, *coverage;
  bool diverged;
};

static void report_case(struct junit *j, const struct block_desc *desc, const char *params, int64_t seed,
                        const struct random_result *r) {
  char name[260], message[300];
  snprintf(name, sizeof name, "%s seed %" PRId64, params, seed);
  snprintf(message, sizeof message, "C model and RTL differ at %s %s in cycle %" PRIu64,
           r->first.is_register ? "register" : "port", r->diverged ? r->first.what : "", r->first.cycle);
  junit_case(j, desc->name, name, r->seconds + r->verilating, r->diverged ? JUNIT_FAILED : JUNIT_PASSED, message);
}

/* Runs with the profile and the counts that the options ask for. */
static int run_counted(const struct options *o, struct random_run *run, const char *params, struct random_result *r,
                       struct totals *t, struct err *e) {
  char origin[60];
  FILE *to = o->json ? stderr : stdout;
  struct check_profile profile = {.on = false};
  bool counts = o->coverage || o->guided;
  if (counts && !(run->coverage = coverage_open(run->desc, run->params, e))) return (int)e->code;
  int status = check_profile_open(&profile, o->profile, o->guided, run, e);
  if (!status) status = random_run(run, r, to, e);
  if (!status) status = check_profile_end(&profile, o->out, to, e);
  snprintf(origin, sizeof origin, "%sseed %" PRIu64, o->guided ? "guided, " : o->profile ? "profile, " : "", run->seed);
  if (!status && counts) coverage_total_add(t->coverage, run->coverage, run->desc->name, params, origin);
  if (!status && o->rtl_coverage) coverage_total_add_rtl(t->coverage, r->rtl_coverage);
  json_decref(r->rtl_coverage);
  coverage_close(run->coverage);
  run->coverage = NULL;
  check_profile_close(&profile);
  run->profile = NULL;
  return status;
}

static int check_seed(const struct options *o, const struct block_desc *desc, const int32_t *params, int64_t seed,
                      struct totals *t, struct err *e) {
  char rtl[1024], text[200];
  struct random_run run = {.desc = desc,
                           .params = params,
                           .engine = o->idle ? ENGINE_RTL : ENGINE_LOCKSTEP,
                           .cycles = (uint64_t)o->cycles,
                           .seed = (uint64_t)seed,
                           .no_reset = o->no_reset,
                           .coupled = o->coupled,
                           .check_threads = o->check_threads < 0 ? dpi_spare_threads(1) : (uint32_t)o->check_threads,
                           .skip = o->idle,
                           .record = o->record,
                           .out_dir = o->out,
                           .rtl_coverage = o->rtl_coverage,
                           .bug_rtl = rtl};
  struct random_result r = {0};
  int status = o->bug ? planted_bug_find(desc, o->bug, &run.bug, rtl, sizeof rtl, e) : 0;
  params_text(desc, params, text, sizeof text);
  if (!status) status = run_counted(o, &run, text, &r, t, e);
  if (!status && r.diverged && o->shrink)
    status = shrink_check(desc, params, &run, o->save, o->json ? stderr : stdout, e);
  if (status) return status;
  t->diverged |= r.diverged;
  report_case(&t->junit, desc, text, seed, &r);
  const struct block_profile *p = &r.profile;
  if (o->json) {
    json_array_append_new(
      t->rows,
      json_pack("{s:s, s:s, s:I, s:I, s:s, s:I, s:I, s:I, s:I, s:I, s:f, s:f}", "block", desc->name, "parameters", text,
                "seed", (json_int_t)seed, "cycles", (json_int_t)r.cycles, "result", r.diverged ? "diverged" : "equal",
                "skipped", (json_int_t)p->skipped, "c_evals", (json_int_t)p->c_evals, "rtl_evals",
                (json_int_t)p->rtl_evals, "dpi_calls", (json_int_t)p->dpi_calls, "dpi_bytes", (json_int_t)p->dpi_bytes,
                "cycles_per_second", (double)r.cycles / r.seconds, "verilating_seconds", r.verilating));
    return 0;
  }
  printf("%-16s %-28s %10" PRIu64 " cycles  %s%s%s  %5.2f Mcycles/s", desc->name, text, r.cycles,
         colour_on(stdout, r.diverged ? COLOUR_BAD : COLOUR_GOOD),
         r.diverged ? "DIVERGED"
         : o->idle  ? "skipping is exact"
                    : "equal",
         colour_off(stdout), (double)r.cycles / r.seconds / 1e6);
  if (o->seeds > 1) printf("  seed %" PRId64, seed);
  if (o->idle) {
    printf("  %" PRIu64 " skipped", p->skipped);
    if (r.diverged) printf("  (port %s, cycle %" PRIu64 ")", r.first.what, r.first.cycle);
  }
  putchar('\n');
  return 0;
}

/* The seeds one after the other, up to the first difference. */
static int check_set(const struct options *o, const struct block_desc *desc, const int32_t *params, struct totals *t,
                     struct err *e) {
  int status = 0;
  for (int64_t i = 0; i < o->seeds && !status && !t->diverged; i++)
    status = check_seed(o, desc, params, o->seed + i, t, e);
  return status;
}

static int check_sets(const struct options *o, const struct block_desc *desc, struct totals *t, struct err *e) {
  int32_t params[BLOCK_PARAMS_MAX];
  if (o->sweep && o->params.n)
    return err_set(e, ERR_USAGE, "--sweep takes every parameter set of the manifest; leave --sweep or --param out");
  int status = params_argument(desc, &o->params, params, e);
  if (!o->sweep) return status ? status : check_set(o, desc, params, t, e);
  for (uint32_t i = 0; i < desc->n_sweep && !status && !t->diverged; i++)
    status = check_set(o, desc, desc->sweep + i * desc->n_params, t, e);
  return status;
}

/* The regressions beside a user's manifest; those of our blocks are rows of CTest. */
static int check_regressions(const struct options *o, const struct block_desc *desc, struct totals *t, struct err *e) {
  char failed[1200];
  unsigned n;
  struct random_result r = {0};
  if (!desc->own || o->bug || o->idle || o->params.n) return 0;
  int status = regressions_run(desc, failed, sizeof failed, &r.first, &n, e);
  if (status || !n) return status;
  r.diverged = *failed != 0;
  t->diverged |= r.diverged;
  report_case(&t->junit, desc, "regressions", 0, &r);
  FILE *to = o->json ? stderr : stdout;
  if (!r.diverged) fprintf(to, "%-16s %u regression%s passed\n", desc->name, n, n > 1 ? "s" : "");
  else fprintf(to, "%s fails again\n", failed);
  if (r.diverged) print_divergence(to, &r.first, desc->name, desc->name);
  return 0;
}

/* A check of the whole block that is long enough gives a certificate, on which hardware claims about this RTL depend. */
static int check_block(const struct options *o, const struct block_desc *desc, struct totals *t, struct err *e) {
  struct certificate c;
  char summary[120];
  bool certifies = !desc->own && !o->bug && !o->no_reset && !o->idle && !o->params.n && !o->profile && !o->guided &&
                   o->cycles >= CERTIFYING_CYCLES;
  int status = certifies ? certificate_begin(&c, desc, "lockstep", e) : 0;
  if (status) return status;
  status = check_regressions(o, desc, t, e);
  if (!status && !t->diverged) status = check_sets(o, desc, t, e);
  if (!certifies) return status;
  snprintf(summary, sizeof summary, "%" PRId64 " cycles, seeds %" PRId64 " to %" PRId64 ", %s", o->cycles, o->seed,
           o->seed + o->seeds - 1, o->sweep ? "every parameter set" : "the default parameters");
  if (!status && !t->diverged) return certificate_pass(&c, summary, e);
  certificate_drop(&c);
  return status;
}

/* Over a wave, which is no random check and gives no certificate. */
static int check_recorded(const struct options *o, const struct block_desc *desc, struct totals *t, struct err *e) {
  int32_t params[BLOCK_PARAMS_MAX];
  if (!o->wave) return err_set(e, ERR_USAGE, "--map %s: of which wave? name it with --wave", o->map);
  if (o->sweep || o->idle || o->bug || o->record || o->json || o->junit)
    return err_set(e, ERR_USAGE,
                   "--wave takes the inputs of a file; leave out --sweep, --idle, --bug, --record, --junit and --json");
  int status = params_argument(desc, &o->params, params, e);
  return status ? status : check_wave(o->wave, o->map, desc, params, o->out, &t->diverged, e);
}

/* Of a check that has written nothing; one in use stays. */
static void remove_empty(const char *out, bool default_out) {
  rmdir(out);
  if (default_out) rmdir("tandem-out");
}

/* Refuses options that do not go together. */
static int check_options(const struct options *o, const char *name, struct err *e) {
  if (o->save && !o->shrink)
    return err_set(e, ERR_USAGE, "--save %s: only with --shrink; a regression is as small as can be", o->save);
  if (o->coverage && (o->idle || o->wave))
    return err_set(e, ERR_USAGE, "--coverage counts random inputs in lockstep; leave out --idle and --wave");
  if (o->rtl_coverage && (o->idle || o->wave || o->bug))
    return err_set(e, ERR_USAGE, "--rtl-coverage counts random inputs in lockstep; leave out --idle, --wave and --bug");
  if ((o->guided || o->profile) && (o->idle || o->wave || o->sweep || !strcmp(name, "all")))
    return err_set(e, ERR_USAGE,
                   "--guided and --profile are of one block at one parameter set, under random inputs; leave out all, "
                   "--sweep, --idle and --wave");
  if (o->shrink && (o->idle || o->wave))
    return err_set(
      e, ERR_USAGE,
      "--shrink is of a difference between C model and RTL under random inputs; leave out --idle and --wave");
  return 0;
}

int cmd_check(int argc, char **argv) {
  struct options o = {.cycles = 1000000, .seed = 1, .seeds = 1, .check_threads = -1};
  const struct cli_option options[] = {
    {"--cycles", CLI_NUMBER, &o.cycles, "N", "cycles for each parameter set (default: 1000000)", 1, INT64_MAX},
    {"--seed", CLI_NUMBER, &o.seed, "N", "seed of the stimulus and of the registers' initial values (default: 1)", 0,
     UINT32_MAX},
    {"--seeds", CLI_NUMBER, &o.seeds, "N",
     "check N seeds, --seed and those after it; stop at the first difference (default: 1)", 1, UINT32_MAX},
    {"--sweep", CLI_FLAG, &o.sweep, NULL, "check every parameter set of the manifest, not only the default", 0, 0},
    {"--param", CLI_LIST, &o.params, "P=V", "change a parameter of the block", 0, 0},
    {"--idle", CLI_FLAG, &o.idle, NULL, "compare an instance that skips idle cycles with one that never skips", 0, 0},
    {"--no-reset", CLI_FLAG, &o.no_reset, NULL, "reset before the first cycle only, not at random cycles, too", 0, 0},
    CHECK_OPTIONS(&o.coupled, &o.check_threads),
    {"--wave", CLI_TEXT, &o.wave, "FILE",
     "take the inputs from this wave (.vcd, .fst) of another simulator; its outputs, if mapped, are compared, too", 0,
     0},
    {"--map", CLI_TEXT, &o.map, "FILE", "with --wave: which of its signals are the ports, as YAML", 0, 0},
    {"--bug", CLI_TEXT, &o.bug, "NAME", "plant this bug of the manifest; the check must fail", 0, 0},
    SHRINK_OPTIONS(&o.shrink, &o.save),
    {"--coverage", CLI_FLAG, &o.coverage, NULL,
     "count which of the block's coverage points the inputs reach, print those never hit, and write " COVERAGE_FILE, 0,
     0},
    {"--profile", CLI_TEXT, &o.profile, "FILE",
     "overlay the random inputs with the phases of this profile (tandem profile, docs/coverage.md)", 0, 0},
    {"--guided", CLI_FLAG, &o.guided, NULL,
     "with --coverage: choose inputs by what they reach, and keep those that reach something new in DIR/" PROFILE_FILE,
     0, 0},
    {"--rtl-coverage", CLI_FLAG, &o.rtl_coverage, NULL,
     "count which lines and toggles of the RTL the inputs reach, into " COVERAGE_FILE ", too (see tandem coverage)", 0,
     0},
    {"--record", CLI_TEXT, &o.record, "FILE", "write the stimulus as CSV", 0, 0},
    {"--out", CLI_TEXT, &o.out, "DIR", "folder for page, stimulus and wave of a divergence (default: tandem-out/check)",
     0, 0},
    MANIFEST_OPTION(&o.manifest),
    {"--junit", CLI_TEXT, &o.junit, "FILE", "write the results as JUnit XML, one test case per parameter set and seed",
     0, 0},
    {"--json", CLI_FLAG, &o.json, NULL, "print a JSON array with one element per parameter set", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "check",
    .brief =
      "Checks a block alone: C model and RTL get the same random inputs, and every port is compared in every cycle.",
    .usage = "BLOCK|all [options]",
    .example = "tandem check d2ma_agen --cycles 1000000 --sweep",
    .options = options,
    .positional_min = 1,
    .positional_max = 1};
  struct err e = {0};
  const char *name;
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, &name, &n, &help, &e);
  if (help) return 0;
  struct totals t = {.rows = json_array(), .coverage = coverage_total_new()};
  if (!status) status = check_options(&o, name, &e);
  if (!status) status = junit_open(&t.junit, o.junit, "tandem check", &e);
  bool default_out = !o.out;
  if (default_out) o.out = "tandem-out/check";
  if (!status) status = process_make_folders(o.out, "name a writable one with --out", &e);
  if (!status) status = own_blocks_open(o.manifest, &e);
  if (!status && !strcmp(name, "all") && o.wave) {
    status = err_set(&e, ERR_USAGE, "--wave is of one block; name it");
  } else if (!status && !strcmp(name, "all")) {
    for (const struct block_desc *const *d = block_list(); *d && !status; d++) status = check_block(&o, *d, &t, &e);
  } else if (!status) {
    const struct block_desc *desc;
    status = block_argument(name, &desc, &e);
    if (!status) status = o.wave || o.map ? check_recorded(&o, desc, &t, &e) : check_block(&o, desc, &t, &e);
  }
  if (!status && o.json) json_out(t.rows, "check/1", 0, stdout);
  bool counted = o.coverage || o.rtl_coverage || o.guided;
  if (!status && (o.coverage || o.guided))
    coverage_print(t.coverage, strcmp(name, "all") != 0, o.json ? stderr : stdout);
  if (!status && counted) status = coverage_write(t.coverage, o.out, &e);
  bool faults = coverage_has_faults(t.coverage);
  json_decref(t.rows);
  json_decref(t.coverage);
  status = junit_close(&t.junit, status, &e);
  if (!t.diverged) remove_empty(o.out, default_out);
  return status ? cli_fail("check", &e) : t.diverged || faults;
}
