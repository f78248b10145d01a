/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"
#include "base/process.h"
#include "blocktest/drive_run.h"
#include "cli/block_arguments.h"
#include "cli/commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct options {
  int64_t cycle;
  bool shrink;
  const char *out, *manifest;
};

static void print_divergence(const struct divergence *v, const struct stimulus *s) {
  char expected[300], actual[300];
  stimulus_print_value((const uint8_t *)v->expected, v->width, expected, sizeof expected);
  stimulus_print_value((const uint8_t *)v->actual, v->width, actual, sizeof actual);
  printf("DIVERGENCE in %s (block %s), cycle %" PRIu64 "\n", *s->path ? s->path : s->desc->name, s->desc->name,
         v->cycle);
  printf("  %s %s: expected %s (C model), actual %s (RTL)\n", v->is_register ? "register" : "port", v->what, expected,
         actual);
}

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

static int shrink(struct stimulus *s, struct replay *how, struct divergence *first, const char *out, struct err *e) {
  size_t before = s->n;
  bool diverged;
  char path[1200];
  how->wave_dir = NULL;
  int status = shrink_run(s, how, first, e);
  if (!status) status = replay_run(how, s, first, &diverged, e);
  snprintf(path, sizeof path, "%s%s", out ? out : "", out ? "/shrunk.csv" : "shrunk.csv");
  if (!status) status = stimulus_write(s, path, e);
  if (!status) printf("shrunk from %zu to %zu cycles: %s\n", before, s->n, path);
  return status;
}

static int replay(const char *name, const struct options *o, bool *diverged, struct err *e) {
  char dir[1100], rtl[1024];
  struct stimulus s;
  struct divergence first;
  struct replay how = {.engine = ENGINE_LOCKSTEP, .state_every = 1, .wave_dir = o->out, .bug_rtl = rtl};
  if (o->cycle >= 0 && !o->out)
    return err_set(e, ERR_USAGE, "--cycle is where the wave starts; name the wave's folder with --out, too");
  int status = own_blocks_open(o->manifest, e);
  if (!status) status = open_stimulus(name, dir, sizeof dir, &s, e);
  if (status) return status;
  if (*s.bug) status = planted_bug_find(s.desc, s.bug, &how.bug, rtl, sizeof rtl, e);
  if (!status && how.wave_dir) status = process_make_folders(how.wave_dir, "name a writable one with --out", e);
  if (o->cycle >= 0) how.wave_from = row_of(&s, (uint64_t)o->cycle);
  if (!status) status = replay_run(&how, &s, &first, diverged, e);
  if (!status && *diverged) print_divergence(&first, &s);
  if (!status && !*diverged) printf("%s: %zu cycles, C model and RTL agree\n", s.desc->name, s.n);
  if (!status && how.wave_dir) printf("wave: %s/wave.fst; see it: tandem wave %s\n", how.wave_dir, how.wave_dir);
  if (!status && o->shrink) {
    if (*diverged) status = shrink(&s, &how, &first, o->out ? o->out : *dir ? dir : NULL, e);
    else status = err_set(e, ERR_USAGE, "--shrink: the stimulus does not diverge, there is nothing to shrink");
  }
  stimulus_free(&s);
  return status;
}

int cmd_replay(int argc, char **argv) {
  struct options o = {.cycle = -1};
  const struct cli_option options[] = {
    {"--cycle", CLI_NUMBER, &o.cycle, "K", "with --out: start the wave at this cycle", 0, INT64_MAX},
    {"--shrink", CLI_FLAG, &o.shrink, NULL, "remove cycles as long as the divergence remains, and write shrunk.csv", 0,
     0},
    {"--out", CLI_TEXT, &o.out, "DIR", "write a wave of the replay to this folder", 0, 0},
    MANIFEST_OPTION(&o.manifest),
    {0}};
  const struct cli_command command = {
    .name = "replay",
    .brief = "Replays a recorded stimulus on the block alone, in lockstep, and compares every register in every cycle.",
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
