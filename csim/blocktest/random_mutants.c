/* SPDX-License-Identifier: Apache-2.0 */
/* scripts/mutants makes the mutants, all behind the input that chooses planted bugs, so that one Verilated model is all of them; lockstep
 * and replay run here, properties and proof there. */
#include "blocktest/random_mutants.h"

#include "base/err.h"
#include "base/host_clock.h"
#include "base/place.h"
#include "base/process.h"
#include "blocktest/random_run.h"
#include "replay.h"
#include "rtl_cache.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 1200, CONTROL = 255, RECORDED_CYCLES = 1500, SEED_OF_RECORDING = 6 };

struct work {
  const struct random_mutants *m;
  char netlist[PATH_SIZE];
  int32_t params[BLOCK_PARAMS_MAX];
  struct stimulus *vectors;
  uint32_t n_vectors;
};

/* Runs a script of scripts/mutants; the error is the sentence that it prints. */
static int script(const struct random_mutants *m, const char *name, const char *arguments, struct err *e) {
  char path[PLACE_BYTES + 32], log[PATH_SIZE], command[3 * PATH_SIZE], said[sizeof e->text];
  place_data_file("scripts/mutants", path, sizeof path);
  snprintf(log, sizeof log, "%.1000s/%s.log", m->out_dir, name);
  unlink(log);
  snprintf(command, sizeof command, "$(command -v /usr/bin/python3 || echo python3) '%s/%s.py' %s %s", path, name,
           m->desc->name, arguments);
  if (!process_shell(command, log, "scripts/mutants", NULL)) return 0;
  process_log_tail(log, said, sizeof said);
  said[strcspn(said, "\n")] = 0;
  if (!said[0])
    return err_set(e, ERR_FILE, "the script %s.py ended without a word; is there room in %s?", name, m->out_dir);
  static const char own_name[] = "tandem mutants: ";
  const char *text = !strncmp(said, own_name, sizeof own_name - 1) ? said + sizeof own_name - 1 : said;
  return err_set(e, ERR_VALUE, "%s (full log: %s)", text, log);
}

static json_t *read_file(const struct random_mutants *m, const char *name, struct err *e) {
  char path[PATH_SIZE];
  json_error_t problem;
  snprintf(path, sizeof path, "%.1000s/%s", m->out_dir, name);
  json_t *j = json_load_file(path, 0, &problem);
  if (!j) err_set(e, ERR_FILE, "%s: %s", path, problem.text);
  return j;
}

static int make(struct work *w, json_t **made, struct err *e) {
  const struct random_mutants *m = w->m;
  char arguments[2 * PATH_SIZE];
  snprintf(arguments, sizeof arguments, "%u --seed %" PRIu64 "%s --out '%.1000s' %.1000s", m->n, m->seed,
           m->suspects ? " --netlist" : "", m->out_dir, m->params);
  int status = script(m, "make", arguments, e);
  if (status) return status;
  if (!(*made = read_file(m, "mutants.json", e))) return (int)e->code;
  const json_t *params = json_object_get(*made, "parameters");
  for (uint32_t i = 0; i < m->desc->n_params; i++)
    w->params[i] = (int32_t)json_integer_value(json_object_get(params, m->desc->params[i].name));
  snprintf(w->netlist, sizeof w->netlist, "%.1000s/mutants.v", m->out_dir);
  return block_check_params(m->desc, w->params, e);
}

/* What noticed a mutant, or null. */
static json_t *noticed(bool diverged, const struct divergence *first, uint64_t cycle) {
  return diverged ? json_pack("{s:I, s:s}", "cycles", (json_int_t)cycle, "at", first->what) : json_null();
}

static int lockstep(const struct work *w, uint32_t number, json_t **out, struct err *e) {
  struct random_run run = {.desc = w->m->desc,
                           .params = w->params,
                           .engine = ENGINE_LOCKSTEP,
                           .cycles = w->m->cycles,
                           .seed = w->m->seed,
                           .state_every = 1,
                           .bug = number,
                           .bug_rtl = w->netlist};
  struct random_result result;
  int status = random_run(&run, &result, NULL, e);
  *out = status ? NULL : noticed(result.diverged, &result.first, result.cycles);
  return status;
}

/* The names of the suspects on the page of the divergence in lockstep, the first the most suspicious. */
static int suspects(const struct work *w, uint32_t number, json_t **names, struct err *e) {
  char dir[PATH_SIZE], path[PATH_SIZE + 32];
  json_error_t problem;
  size_t i;
  json_t *one;
  snprintf(dir, sizeof dir, "%.1000s/page", w->m->out_dir);
  snprintf(path, sizeof path, "%s/divergence.json", dir);
  struct random_run run = {.desc = w->m->desc,
                           .params = w->params,
                           .engine = ENGINE_LOCKSTEP,
                           .cycles = w->m->cycles,
                           .seed = w->m->seed,
                           .bug = number,
                           .bug_rtl = w->netlist,
                           .out_dir = dir};
  struct random_result result;
  FILE *nowhere = fopen("/dev/null", "w");
  int status = nowhere ? process_make_folders(dir, "name a writable one with --out", e)
                       : err_set(e, ERR_FILE, "cannot open /dev/null: %s", strerror(errno));
  if (!status) status = random_run(&run, &result, nowhere, e);
  if (nowhere) fclose(nowhere);
  if (status) return status;
  json_t *page = json_load_file(path, 0, &problem);
  *names = json_array();
  json_array_foreach(json_object_get(json_object_get(page, "why"), "suspects"), i, one)
    json_array_append(*names, json_object_get(one, "name"));
  json_decref(page);
  return 0;
}

static bool count_row(void *self, size_t row, const struct stimulus_row *r, const struct block *b) {
  (void)r, (void)b;
  *(uint64_t *)self = row + 1;
  return true;
}

/* The cycles are those from the first vector's beginning. */
static int replay(const struct work *w, uint32_t number, json_t **out, struct err *e) {
  uint64_t before = 0, rows = 0;
  struct divergence first;
  bool diverged = false;
  int status = 0;
  for (uint32_t i = 0; i < w->n_vectors && !status && !diverged; i++) {
    struct replay r = {.engine = ENGINE_LOCKSTEP,
                       .bug = number,
                       .bug_rtl = w->netlist,
                       .state_every = 1,
                       .row = count_row,
                       .self = &rows};
    before += rows;
    status = replay_run(&r, &w->vectors[i], &first, &diverged, e);
  }
  *out = status ? NULL : noticed(diverged, &first, before + rows);
  return status;
}

/* ---- vectors ---- */

static int record(const struct work *w, char path[PATH_SIZE], struct err *e) {
  snprintf(path, PATH_SIZE, "%.1000s/recorded.csv", w->m->out_dir);
  struct random_run run = {.desc = w->m->desc,
                           .params = w->params,
                           .engine = ENGINE_C,
                           .cycles = RECORDED_CYCLES,
                           .seed = w->m->seed + SEED_OF_RECORDING,
                           .record = path};
  struct random_result result;
  return random_run(&run, &result, NULL, e);
}

static int open_vectors(struct work *w, struct err *e) {
  char recorded[PATH_SIZE];
  const char *one[] = {recorded}, *const *paths = w->m->n_vectors ? w->m->vectors : one;
  uint32_t n = w->m->n_vectors ? w->m->n_vectors : 1;
  int status = w->m->n_vectors ? 0 : record(w, recorded, e);
  w->vectors = calloc(n, sizeof *w->vectors);
  if (!w->vectors) return err_set(e, ERR_LIMIT, "out of memory");
  for (; w->n_vectors < n && !status; w->n_vectors++) {
    struct stimulus *s = &w->vectors[w->n_vectors];
    status = stimulus_read(paths[w->n_vectors], w->m->desc, w->params, s, e);
    if (!status && memcmp(s->params, w->params, w->m->desc->n_params * sizeof *s->params))
      status = err_set(e, ERR_VALUE, "%s is of other parameters than the mutants; give its parameters with --param",
                       paths[w->n_vectors]);
  }
  return status;
}

static void close_vectors(struct work *w) {
  for (uint32_t i = 0; i < w->n_vectors; i++) stimulus_free(&w->vectors[i]);
  free(w->vectors);
}

/* ---- all of it ---- */

/* The netlist without a mutant must pass: what is noticed later is the mutant's. */
static int control(const struct work *w, struct err *e) {
  json_t *found[2] = {NULL, NULL};
  int status = lockstep(w, CONTROL, &found[0], e);
  if (!status) status = replay(w, CONTROL, &found[1], e);
  for (int i = 0; i < 2 && !status; i++)
    if (!json_is_null(found[i]))
      status = err_set(e, ERR_INTERNAL,
                       "%s: the netlist without a mutant differs from the model at %s after %" PRIu64 " cycles",
                       w->m->desc->name, json_string_value(json_object_get(found[i], "at")),
                       (uint64_t)json_integer_value(json_object_get(found[i], "cycles")));
  json_decref(found[0]);
  json_decref(found[1]);
  return status;
}

static int run_mutants(const struct work *w, json_t *mutants, struct err *e) {
  size_t i;
  json_t *row, *found;
  int status = control(w, e);
  for (i = 0; i < json_array_size(mutants) && !status; i++) {
    row = json_array_get(mutants, i);
    uint32_t number = (uint32_t)json_integer_value(json_object_get(row, "number"));
    status = lockstep(w, number, &found, e);
    if (!status) json_object_set_new(row, "lockstep", found);
    if (!status && w->m->suspects && json_is_object(found)) {
      json_t *names = NULL;
      status = suspects(w, number, &names, e);
      json_object_set_new(row, "suspects", names);
    }
    if (!status) status = replay(w, number, &found, e);
    if (!status) json_object_set_new(row, "replay", found);
  }
  return status;
}

/* Adds the verdicts of properties and proof, and whether the mutant is killed. A mutant that is proved equivalent and differs in a
 * run would mean that the proof is wrong. */
static int merge(const struct random_mutants *m, json_t *mutants, const json_t *verdicts, struct err *e) {
  size_t i;
  json_t *v;
  json_array_foreach(verdicts, i, v) {
    json_t *row = json_array_get(mutants, i);
    const char *proof = json_string_value(json_object_get(v, "proof"));
    json_object_set(row, "law", json_object_get(v, "law"));
    json_object_set(row, "proof", json_object_get(v, "proof"));
    json_object_set(row, "proof_at", json_object_get(v, "at"));
    json_object_set(row, "equivalent", json_object_get(v, "same"));
    bool same = json_is_true(json_object_get(v, "same"));
    bool ran = json_is_object(json_object_get(row, "lockstep")) || json_is_object(json_object_get(row, "replay"));
    bool killed = ran || json_is_integer(json_object_get(v, "law")) || (proof && !strcmp(proof, "broken"));
    json_object_set_new(row, "killed", json_boolean(!same && killed));
    if (same && ran)
      return err_set(e, ERR_INTERNAL, "%s: mutant %zu is proved equivalent, and yet a run differs; see %s/list.ys",
                     m->desc->name, i + 1, m->out_dir);
  }
  return 0;
}

int random_mutants_run(const struct random_mutants *m, json_t **report, struct err *e) {
  struct work w = {.m = m};
  json_t *made = NULL, *verdicts = NULL;
  char arguments[3 * PATH_SIZE];
  int status = make(&w, &made, e);
  if (!status) status = open_vectors(&w, e);
  double start = host_seconds();
  if (!status) status = run_mutants(&w, json_object_get(made, "mutants"), e);
  double seconds = host_seconds() - start;
  snprintf(arguments, sizeof arguments, "--dir '%.1000s' --generated '%.1000s'", m->out_dir,
           rtl_paths_default().generated);
  if (!status) status = script(m, "judge", arguments, e);
  if (!status && !(verdicts = read_file(m, "verdicts.json", e))) status = (int)e->code;
  if (!status) status = merge(m, json_object_get(made, "mutants"), json_object_get(verdicts, "mutants"), e);
  if (!status)
    *report = json_pack("{s:s, s:O, s:I, s:I, s:f, s:O, s:O, s:O}", "block", m->desc->name, "parameters",
                        json_object_get(made, "parameters"), "seed", (json_int_t)m->seed, "cycles",
                        (json_int_t)m->cycles, "run_seconds", seconds, "laws", json_object_get(verdicts, "laws"),
                        "proof", json_object_get(verdicts, "proof"), "mutants", json_object_get(made, "mutants"));
  close_vectors(&w);
  json_decref(made);
  json_decref(verdicts);
  return status;
}
