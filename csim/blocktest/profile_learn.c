/* SPDX-License-Identifier: Apache-2.0 */
#include "blocktest/profile_learn.h"

#include "flight.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PIECES_MAX = 8, PIECE_CYCLES = 256, DISTINCT_MAX = 4096, PHASE_CYCLES = 4096 };

/* How often each value of an input was drawn; beyond DISTINCT_MAX different ones, the rest is `others`. */
struct tally {
  uint32_t n, others;
  struct profile_value value[DISTINCT_MAX];
};

static void tally_add(struct tally *t, const uint8_t *at, uint32_t slot) {
  for (uint32_t k = 0; k < t->n; k++)
    if (!memcmp(t->value[k].bytes, at, slot)) {
      t->value[k].weight++;
      return;
    }
  if (t->n == DISTINCT_MAX) {
    t->others++;
    return;
  }
  struct profile_value *v = &t->value[t->n++];
  memset(v, 0, sizeof *v);
  memcpy(v->bytes, at, slot);
  v->weight = 1;
}

static int by_weight(const void *a, const void *b) {
  const struct profile_value *x = a, *y = b;
  if (x->weight != y->weight) return x->weight < y->weight ? 1 : -1;
  return memcmp(x->bytes, y->bytes, sizeof x->bytes);
}

/* part / whole in millionths; at least one if it happened at all. */
static uint32_t rate(uint64_t part, uint64_t whole) {
  if (!whole) return 0;
  uint32_t r = (uint32_t)((part * PROFILE_ALWAYS + whole / 2) / whole);
  return part && !r ? 1 : r;
}

static const uint8_t *value_at(const struct stimulus *rows, size_t i, const struct block_field *f) {
  return stimulus_row(rows, i)->in + f->offset;
}

static void learn_bit(struct profile_input *input, const struct stimulus *rows, size_t from, size_t to,
                      const struct block_field *f) {
  uint64_t zeros = 0, ones = 0, rises = 0, falls = 0;
  bool last = false; /* a phase begins with 0 */
  for (size_t i = from; i < to; i++) {
    bool now = *value_at(rows, i, f) & 1;
    zeros += !last;
    ones += last;
    rises += !last && now;
    falls += last && !now;
    last = now;
  }
  *input = (struct profile_input){.kind = PROFILE_RATE, .rises = rate(rises, zeros), .falls = rate(falls, ones)};
}

static void learn_values(struct profile_input *input, struct tally *t, const struct stimulus *rows, size_t from,
                         size_t to, const struct block_field *f) {
  uint64_t changes = 0;
  t->n = t->others = 0;
  for (size_t i = from; i < to; i++) {
    if (i > from && !memcmp(value_at(rows, i, f), value_at(rows, i - 1, f), f->slot)) continue;
    changes++;
    tally_add(t, value_at(rows, i, f), f->slot);
  }
  qsort(t->value, t->n, sizeof *t->value, by_weight);
  *input = (struct profile_input){.kind = PROFILE_VALUES, .change = rate(changes, to - from), .others = t->others};
  for (uint32_t k = 0; k < t->n; k++) {
    if (k < PROFILE_VALUES_MAX) input->value[input->n++] = t->value[k];
    else input->others += t->value[k].weight;
  }
}

int profile_learn(struct profile *p, const struct stimulus *rows, const char *name, struct err *e) {
  size_t pieces = rows->n / PIECE_CYCLES;
  pieces = pieces < 1 ? 1 : pieces > PIECES_MAX ? PIECES_MAX : pieces;
  if (!rows->n) return err_set(e, ERR_VALUE, "%s has no cycles to learn from", name);
  struct tally *t = malloc(sizeof *t);
  if (!t) return err_set(e, ERR_LIMIT, "out of memory for a profile of %s", p->desc->name);
  int status = 0;
  for (size_t piece = 0; piece < pieces && !status; piece++) {
    size_t from = rows->n * piece / pieces, to = rows->n * (piece + 1) / pieces;
    struct profile_phase *phase = profile_add(p);
    if (!phase) {
      status = err_set(e, ERR_VALUE, "more than %d phases: learn from fewer recordings", PROFILE_PHASES_MAX);
      break;
    }
    snprintf(phase->name, sizeof phase->name, "%s, piece %zu of %zu", name, piece + 1, pieces);
    phase->seed = p->n;
    phase->cycles = PHASE_CYCLES;
    for (uint32_t k = 0; k < p->desc->n_in; k++) {
      const struct block_field *f = &p->desc->in[k];
      if (f->width(p->params) == 1) learn_bit(&phase->input[k], rows, from, to, f);
      else learn_values(&phase->input[k], t, rows, from, to, f);
    }
  }
  free(t);
  return status;
}

/* ---- files and folders ---- */

/* Learns from the rows if they are of the block and of the profile's parameters, which the first decide. */
static int take(struct profile *p, const char *block, const struct stimulus *rows, const char *name, struct err *e) {
  if (strcmp(rows->desc->name, block) != 0 || !rows->n) return 0;
  int status = p->desc ? 0 : profile_init(p, rows->desc, rows->params, e);
  if (status) return status;
  if (memcmp(p->params, rows->params, p->desc->n_params * sizeof *p->params) != 0) return 0;
  return profile_learn(p, rows, *rows->path ? rows->path : name, e);
}

static int learn_flight(struct profile *p, const char *block, const char *path, struct err *e) {
  struct flight_reader *r;
  int status = flight_open(path, &r, e);
  if (status) return status;
  for (unsigned i = 0; i < flight_instances(r) && !status; i++) {
    struct flight_instance instance;
    struct flight_start start;
    struct stimulus rows;
    if (flight_name(r, i, &instance, NULL) || strcmp(instance.block, block) != 0) continue;
    status = flight_instance(r, i, &instance, e);
    if (status || instance.from > instance.to) continue;
    status = flight_restore(r, i, instance.from, instance.to, &start, &rows, e);
    if (status) break;
    snprintf(rows.path, sizeof rows.path, "%s", instance.path);
    status = take(p, block, &rows, path, e);
    stimulus_free(&rows);
  }
  flight_close(r);
  return status;
}

static int learn_csv(struct profile *p, const char *block, const char *path, struct err *e) {
  struct stimulus rows;
  int status = stimulus_read(path, NULL, NULL, &rows, e);
  if (status) return status;
  status = take(p, block, &rows, path, e);
  stimulus_free(&rows);
  return status;
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strverscmp((*a)->d_name, (*b)->d_name); }

static int learn_folder(struct profile *p, const char *block, const char *folder, struct err *e) {
  char path[1400];
  struct stat st;
  struct dirent **entries;
  int status = 0, n = scandir(folder, &entries, NULL, by_name);
  for (int i = 0; i < n; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
    if (!status && !fnmatch("stimulus*.csv", entries[i]->d_name, 0)) status = learn_csv(p, block, path, e);
    free(entries[i]);
  }
  if (n >= 0) free(entries);
  snprintf(path, sizeof path, "%s/" FLIGHT_FILE, folder);
  return status || p->desc || stat(path, &st) ? status : learn_flight(p, block, path, e);
}

int profile_learn_path(struct profile *p, const char *block, const char *path, struct err *e) {
  struct stat st;
  if (stat(path, &st)) return err_set(e, ERR_FILE, "%s: there is no such file or folder", path);
  return S_ISDIR(st.st_mode) ? learn_folder(p, block, path, e) : learn_csv(p, block, path, e);
}
