/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "base/process.h"
#include "blocktest/coverage_total.h"
#include "blocktest/drive_run.h"
#include "blocktest/flight_replay.h"
#include "cli/block_arguments.h"
#include "cli/commands.h"
#include "cli/shrink.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct options {
  int64_t cycle;
  bool shrink, coverage, rtl_coverage;
  const char *out, *manifest, *block, *save;
};

static int open_stimulus(const char *name, char *dir, size_t size, struct stimulus *s, struct err *e) {
  struct stat st;
  char path[1200];
  bool folder = !stat(name, &st) && S_ISDIR(st.st_mode);
  snprintf(path, sizeof path, folder ? "%s/stimulus.csv" : "%s", name);
  snprintf(dir, size, "%s", folder ? name : "");
  if (folder && stat(path, &st))
    return err_set(e, ERR_FILE, "%s holds no stimulus.csv; only a run that diverged under lockstep leaves one", name);
  return stimulus_read(path, NULL, NULL, s, e);
}

/* Row of the first cycle >= `cycle`. */
static size_t row_of(const struct stimulus *s, uint64_t cycle) {
  size_t i = 0;
  while (i + 1 < s->n && stimulus_row(s, i)->cycle < cycle) i++;
  return i;
}

/* The instance that diverged, as divergence.json of the folder says; or "". */
static void diverged_instance(const char *dir, char *instance, size_t size) {
  char path[1200];
  snprintf(path, sizeof path, "%s/divergence.json", dir);
  json_t *page = json_load_file(path, 0, NULL);
  const char *name = json_string_value(json_object_get(page, "instance"));
  snprintf(instance, size, "%s", name ? name : "");
  json_decref(page);
}

/* A cycle of the flight recorder, which is in the folder `dir`. */
static int replay_cycle(const char *dir, const char *file, const struct options *o, bool *diverged, struct err *e) {
  char likely[192], out[1100];
  diverged_instance(dir, likely, sizeof likely);
  snprintf(out, sizeof out, "%s/cycle-%" PRId64, dir, o->cycle);
  struct flight_replay how = {.file = file,
                              .name = o->block,
                              .likely = *likely ? likely : NULL,
                              .out = o->out ? o->out : out,
                              .cycle = (uint64_t)o->cycle};
  struct flight_replayed done;
  int status = own_blocks_open(o->manifest, e);
  if (!status) status = flight_replay(&how, &done, e);
  if (status) return status;
  *diverged = done.diverged;
  printf("%s (block %s): from the state after cycle %" PRIu64 " on, ", done.path, done.block, done.state);
  if (done.diverged) putchar('\n');
  else printf("C model and RTL agree up to cycle %" PRIu64 "\n", done.to);
  if (done.diverged) print_divergence(stdout, &done.first, done.path, done.block);
  printf("wave of cycles %" PRIu64 " to %" PRIu64 ": %s/wave.fst; see it: tandem wave %s\n", done.from,
         done.diverged ? done.first.cycle : done.to, how.out, how.out);
  return 0;
}

/* The flight recorder's file where `name` is the folder of a run that has one. */
static bool flight_file(const char *name, char *file, size_t size) {
  struct stat st;
  snprintf(file, size, "%s/" FLIGHT_FILE, name);
  return !stat(file, &st);
}

/* What is made of a replay's rows. */
struct rows {
  struct coverage *coverage; /* or NULL */
  uint64_t recorded;         /* digest of the answers of the recorded run; 0: not known */
  struct stimulus_answers answers;
};

static bool see_row(void *self, size_t i, const struct stimulus_row *row, const struct block *b) {
  struct rows *rows = self;
  (void)i;
  if (rows->coverage) coverage_cycle(rows->coverage, b);
  if (rows->recorded) stimulus_answers_add(&rows->answers, b->desc, row->cycle, row->rst_n, b->in, b->out);
  return true;
}

/* A recording of a run holds a digest of the answers that the run got. */
static int check_answers(const struct rows *rows, const char *name, struct err *e) {
  if (!rows->recorded || rows->answers.digest == rows->recorded) return 0;
  return err_set(
    e, ERR_CHECK,
    "%s: C model and RTL agree, but their answers are not those of the recorded run; the block or the file "
    "has changed since: record it again",
    name);
}

/* Replays and, where it is asked for, counts what the stimulus reaches, into coverage.json of `dir`. */
static int replay_counted(struct replay *how, const struct stimulus *s, const char *name, const char *dir,
                          const struct options *o, struct divergence *first, bool *diverged, struct err *e) {
  char params[200];
  json_t *rtl = NULL, *total = coverage_total_new();
  struct rows rows = {.recorded = s->outputs, .answers = stimulus_answers_none()};
  int status = 0;
  if (o->coverage && !(rows.coverage = coverage_open(s->desc, s->params, e))) status = (int)e->code;
  if (rows.coverage || rows.recorded) how->row = see_row, how->self = &rows;
  if (o->rtl_coverage) how->coverage = &rtl;
  if (!status) status = replay_run(how, s, first, diverged, e);
  how->row = NULL;
  how->self = NULL;
  how->coverage = NULL;
  params_text(s->desc, s->params, params, sizeof params);
  if (!status && !*diverged) status = check_answers(&rows, name, e);
  if (!status && rows.coverage) coverage_total_add(total, rows.coverage, s->desc->name, params, name);
  if (!status && rtl) coverage_total_add_rtl(total, rtl);
  if (!status && rows.coverage) coverage_print(total, true, stdout);
  if (!status && (rows.coverage || rtl)) status = coverage_write(total, dir, e);
  coverage_close(rows.coverage);
  json_decref(rtl);
  json_decref(total);
  return status;
}

static int replay(const char *name, const struct options *o, bool *diverged, struct err *e) {
  char dir[1100], rtl[1024];
  struct stimulus s;
  struct divergence first;
  struct replay how = {.engine = ENGINE_LOCKSTEP, .state_every = 1, .wave_dir = o->out, .bug_rtl = rtl};
  char file[1200];
  if (o->cycle >= 0 && (o->coverage || o->rtl_coverage))
    return err_set(e, ERR_USAGE, "--coverage counts a whole stimulus; leave --cycle out");
  if (o->cycle >= 0 && !o->shrink && flight_file(name, file, sizeof file))
    return replay_cycle(name, file, o, diverged, e);
  if (o->save && !o->shrink)
    return err_set(e, ERR_USAGE, "--save %s: only with --shrink; a regression is as small as can be", o->save);
  if (o->shrink && (o->coverage || o->rtl_coverage))
    return err_set(e, ERR_USAGE, "--coverage counts one replay; leave --shrink out");
  if (o->block)
    return err_set(e, ERR_USAGE, "--block: %s has no " FLIGHT_FILE " of several instances; leave it out", name);
  if (o->cycle >= 0 && !o->out)
    return err_set(
      e, ERR_USAGE,
      "%s has no " FLIGHT_FILE ", so --cycle is where the wave starts; name the wave's folder with --out, too", name);
  int status = own_blocks_open(o->manifest, e);
  if (!status) status = open_stimulus(name, dir, sizeof dir, &s, e);
  if (status) return status;
  if (*s.bug) status = planted_bug_find(s.desc, s.bug, &how.bug, rtl, sizeof rtl, e);
  if (o->rtl_coverage) how.wave_dir = NULL; /* models that count write no wave */
  if (!status && o->out) status = process_make_folders(o->out, "name a writable one with --out", e);
  if (o->cycle >= 0) how.wave_from = row_of(&s, (uint64_t)o->cycle);
  const char *counts = o->out ? o->out : *dir ? dir : ".";
  if (!status) status = replay_counted(&how, &s, name, counts, o, &first, diverged, e);
  if (!status && *diverged) print_divergence(stdout, &first, *s.path ? s.path : s.desc->name, s.desc->name);
  if (!status && !*diverged) printf("%s: %zu cycles, C model and RTL agree\n", s.desc->name, s.n);
  if (!status && how.wave_dir) printf("wave: %s/wave.fst; see it: tandem wave %s\n", how.wave_dir, how.wave_dir);
  if (!status && o->shrink) {
    how.wave_dir = NULL;
    if (*diverged) status = shrink_stimulus(&s, &how, &first, o->out ? o->out : *dir ? dir : NULL, o->save, stdout, e);
    else status = err_set(e, ERR_USAGE, "--shrink: the stimulus does not diverge, there is nothing to shrink");
  }
  stimulus_free(&s);
  return status;
}

int cmd_replay(int argc, char **argv) {
  struct options o = {.cycle = -1};
  const struct cli_option options[] = {
    {"--cycle", CLI_NUMBER, &o.cycle, "K",
     "of the folder of a run in lockstep: restore this cycle and write its wave to DIR/cycle-K, or --out; of a FILE.csv, with "
     "--out: start the wave at this cycle",
     0, INT64_MAX},
    {"--block", CLI_TEXT, &o.block, "NAME",
     "with --cycle: the instance (or a block with one) to restore, by default the one that diverged", 0, 0},
    SHRINK_OPTIONS(&o.shrink, &o.save),
    {"--coverage", CLI_FLAG, &o.coverage, NULL,
     "count which of the block's coverage points the stimulus reaches, into " COVERAGE_FILE " of --out, or of DIR", 0,
     0},
    {"--rtl-coverage", CLI_FLAG, &o.rtl_coverage, NULL,
     "the same of lines and toggles of the RTL; there is no wave then", 0, 0},
    {"--out", CLI_TEXT, &o.out, "DIR", "write a wave of the replay to this folder", 0, 0},
    MANIFEST_OPTION(&o.manifest),
    {0}};
  const struct cli_command command = {
    .name = "replay",
    .brief =
      "Replays a recorded stimulus, or a cycle of a run, on the block alone, in lockstep, and compares every register in every cycle.",
    .usage = "FILE.csv|DIR [options]",
    .example = "tandem check rr_arb --bug wraps_early --out /tmp/bug; tandem replay /tmp/bug --shrink",
    .options = options,
    .positional_min = 1,
    .positional_max = 1};
  struct err e = {0};
  const char *name;
  unsigned n;
  bool help, diverged = false;
  int status = cli_parse(&command, argc, argv, &name, &n, &help, &e);
  if (help) return 0;
  if (!status) status = replay(name, &o, &diverged, &e);
  return status ? cli_fail("replay", &e) : diverged;
}
