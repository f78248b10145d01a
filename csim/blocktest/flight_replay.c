/* SPDX-License-Identifier: Apache-2.0 */
#include "blocktest/flight_replay.h"

#include "base/process.h"
#include "blocktest/drive_run.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

static bool matches(const struct flight_instance *f, const char *name) {
  return !strcmp(f->path, name) || !strcmp(f->block, name) || !fnmatch(name, f->path, 0);
}

/* The number of instances that match (all with name NULL), the last one in *found, and the first few names in `names`. */
static int count(struct flight_reader *r, const char *name, unsigned *n, unsigned *found, char *names, size_t size,
                 struct err *e) {
  enum { NAMED = 4 };
  size_t at = 0;
  *n = 0;
  names[0] = 0;
  for (unsigned i = 0; i < flight_instances(r); i++) {
    struct flight_instance f;
    int status = flight_name(r, i, &f, e);
    if (status) return status;
    if (name && !matches(&f, name)) continue;
    *found = i;
    if ((*n)++ < NAMED && at < size) at += (size_t)snprintf(names + at, size - at, "%s%s", at ? ", " : "", f.path);
  }
  if (*n > NAMED && at < size) snprintf(names + at, size - at, ", ...");
  return 0;
}

static int choose(struct flight_reader *r, const struct flight_replay *how, unsigned *found, struct err *e) {
  char names[600];
  unsigned n = 0;
  int status = how->name || !how->likely ? 0 : count(r, how->likely, &n, found, names, sizeof names, e);
  if (!status && n != 1) status = count(r, how->name, &n, found, names, sizeof names, e);
  if (status || n == 1) return status;
  if (how->name && !n)
    return err_set(e, ERR_VALUE, "%s: no instance %s is recorded; tandem replay without --block lists them", how->file,
                   how->name);
  return err_set(e, ERR_VALUE, "%s holds %u instances%s%s; name one with --block: %s", how->file, n,
                 how->name ? " that match " : "", how->name ? how->name : "", names);
}

static int restore(struct flight_reader *r, unsigned i, const struct flight_replay *how, struct flight_start *start,
                   struct stimulus *rows, struct flight_instance *f, struct err *e) {
  int status = flight_instance(r, i, f, e);
  if (status) return status;
  uint64_t before = how->cycle > FLIGHT_WAVE_CYCLES ? how->cycle - FLIGHT_WAVE_CYCLES : 0;
  if (before < f->from && how->cycle >= f->from) before = f->from;
  if (how->cycle > f->to) before = how->cycle; /* the error names the cycle that was asked for */
  return flight_restore(r, i, before, how->cycle + FLIGHT_WAVE_CYCLES, start, rows, e);
}

static int run(const struct flight_replay *how, const struct flight_instance *f, const struct flight_start *start,
               const struct stimulus *rows, struct flight_replayed *done, struct err *e) {
  char rtl[1024];
  struct replay replay = {.engine = ENGINE_LOCKSTEP,
                          .state_every = 1,
                          .start = start,
                          .library = f->library,
                          .wave_dir = how->out,
                          .bug_rtl = rtl};
  while (replay.wave_from + 1 < rows->n &&
         stimulus_row(rows, replay.wave_from)->cycle + FLIGHT_WAVE_CYCLES < how->cycle)
    replay.wave_from++;
  done->from = stimulus_row(rows, replay.wave_from)->cycle;
  done->to = stimulus_row(rows, rows->n - 1)->cycle;
  int status = *f->s.bug ? planted_bug_find(f->s.desc, f->s.bug, &replay.bug, rtl, sizeof rtl, e) : 0;
  if (!status) status = process_make_folders(how->out, "name a writable one with --out", e);
  return status ? status : replay_run(&replay, rows, &done->first, &done->diverged, e);
}

int flight_replay(const struct flight_replay *how, struct flight_replayed *done, struct err *e) {
  struct flight_reader *r = NULL;
  struct flight_instance f;
  struct flight_start start;
  struct stimulus rows = {0};
  unsigned i = 0;
  *done = (struct flight_replayed){0};
  int status = flight_open(how->file, &r, e);
  if (!status) status = choose(r, how, &i, e);
  if (!status) status = restore(r, i, how, &start, &rows, &f, e);
  if (!status) {
    snprintf(done->path, sizeof done->path, "%s", f.path);
    snprintf(done->block, sizeof done->block, "%s", f.block);
    done->state = start.cycle;
    status = run(how, &f, &start, &rows, done, e);
    done->first.path = done->path;
  }
  stimulus_free(&rows);
  flight_close(r);
  return status;
}
