/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/frames.h"

#include "base/err.h"
#include "base/rng.h"

#include <stdlib.h>
#include <string.h>

uint32_t frames_column(const struct frames *f, uint32_t frame) { return f->column_of ? f->column_of[frame] : 0; }

static uint32_t at_slot(const struct frames *f, uint32_t at) { return f->slot[at] ? f->slot[at] - 1 : at; }
static uint32_t place_of(const struct frames *f, uint32_t frame) {
  return f->place[frame] ? f->place[frame] - 1 : frame;
}

static void put(struct frames *f, uint32_t frame, uint32_t at) {
  f->slot[at] = frame + 1;
  f->place[frame] = at + 1;
}

/* The frames of each column one after the other, in order of their numbers. */
static void sort(struct frames *f) {
  uint32_t next[FRAMES_COLUMNS];
  for (uint32_t i = 0; i < f->n; i++) f->free[f->column_of[i]]++;
  for (uint32_t c = 0; c < f->columns; c++) {
    f->first[c + 1] = f->first[c] + f->free[c];
    next[c] = f->first[c];
  }
  for (uint32_t i = 0; i < f->n; i++) put(f, i, next[f->column_of[i]]++);
}

bool frames_create(struct frames *f, uint32_t n, uint32_t columns, const uint8_t *column_of) {
  invariant(n && columns && columns <= FRAMES_COLUMNS, "%u frames in %u columns", n, columns);
  *f = (struct frames){.n = n, .columns = column_of ? columns : 1};
  f->slot = calloc(n, sizeof *f->slot);
  f->place = calloc(n, sizeof *f->place);
  if (column_of) f->column_of = malloc(n);
  if (!f->slot || !f->place || (column_of && !f->column_of)) return false;
  if (column_of) {
    memcpy(f->column_of, column_of, n);
    sort(f);
  } else {
    f->free[0] = f->first[1] = n;
  }
  return true;
}

void frames_destroy(struct frames *f) {
  free(f->slot);
  free(f->place);
  free(f->column_of);
  *f = (struct frames){0};
}

bool frames_is_free(const struct frames *f, uint32_t frame) {
  uint32_t c = frames_column(f, frame);
  return place_of(f, frame) < f->first[c] + f->free[c];
}

uint32_t frames_left(const struct frames *f, uint64_t columns) {
  uint32_t left = 0;
  for (uint32_t c = 0; c < f->columns; c++)
    if (columns >> c & 1) left += f->free[c];
  return left;
}

/* The frame changes places with the one that stands at `at`. */
static void swap(struct frames *f, uint32_t frame, uint32_t at) {
  uint32_t other = at_slot(f, at), from = place_of(f, frame);
  put(f, other, from);
  put(f, frame, at);
}

void frames_take(struct frames *f, uint32_t frame) {
  invariant(frame < f->n && frames_is_free(f, frame), "frame %u is taken twice", frame);
  uint32_t c = frames_column(f, frame);
  swap(f, frame, f->first[c] + --f->free[c]);
}

void frames_give(struct frames *f, uint32_t frame) {
  invariant(frame < f->n && !frames_is_free(f, frame), "frame %u comes back twice", frame);
  uint32_t c = frames_column(f, frame);
  swap(f, frame, f->first[c] + f->free[c]++);
}

uint32_t frames_next(const struct frames *f, uint64_t columns, uint32_t from) {
  if (!frames_left(f, columns)) return FRAMES_NONE;
  if (from >= f->n) from = 0;
  uint32_t i = from;
  while (!(columns >> frames_column(f, i) & 1) || !frames_is_free(f, i)) i = i + 1 == f->n ? 0 : i + 1;
  return i;
}

uint32_t frames_random(const struct frames *f, uint64_t columns, struct rng *r) {
  uint32_t left = frames_left(f, columns);
  if (!left) return FRAMES_NONE;
  uint32_t k = rng_below(r, left), c = 0;
  for (;; c++) {
    if (!(columns >> c & 1)) continue;
    if (k < f->free[c]) return at_slot(f, f->first[c] + k);
    k -= f->free[c];
  }
}
