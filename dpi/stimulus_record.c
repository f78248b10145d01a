/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder of an instance's inputs, in memory, for the stimulus that a divergence leaves. */
#include "base/large_pool.h"
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE_BYTES = 1 << 17 }; /* of all but the first piece, unless more rows come at once */

void stimulus_recorder_begin(struct stimulus_recorder *rec, const struct delta_image *now) {
  rec->base = *now;
  rec->n = rec->n_words = rec->at = 0;
  for (size_t i = 0; i < rec->n_pieces; i++) rec->piece[i].n = 0;
}

static bool room_for_piece(struct stimulus_recorder *rec) {
  if (rec->n_pieces < rec->max_pieces) return true;
  size_t max = rec->max_pieces ? 2 * rec->max_pieces : 4;
  struct recorded_piece *more = realloc(rec->piece, max * sizeof *more);
  if (!more) return false;
  rec->piece = more;
  rec->max_pieces = max;
  return true;
}

/* The piece into which `words` more words go; NULL: out of memory. */
static struct recorded_piece *room(struct stimulus_recorder *rec, size_t words) {
  size_t bytes = rec->n_pieces ? PIECE_BYTES : LARGE_PIECE_BYTES;
  for (; rec->at < rec->n_pieces; rec->at++) {
    struct recorded_piece *p = &rec->piece[rec->at];
    if (p->bytes / sizeof *p->words - p->n >= words) return p;
  }
  if (!room_for_piece(rec)) return NULL;
  while (bytes < words * sizeof(uint64_t)) bytes *= 2;
  void *memory = NULL;
  size_t got = 0;
  if (!rec->pool) memory = malloc(got = bytes);
  else if (large_pool_grow(rec->pool, &memory, &got, 0, bytes)) memory = NULL;
  if (!memory) return NULL;
  rec->piece[rec->n_pieces] = (struct recorded_piece){.words = memory, .bytes = got};
  return &rec->piece[rec->n_pieces++];
}

static bool append(struct stimulus_recorder *rec, const uint64_t *words, size_t n, size_t rows) {
  struct recorded_piece *p = room(rec, n);
  if (!p) return false;
  rec->last = p->n;
  memcpy(p->words + p->n, words, n * sizeof *words);
  p->n += n;
  rec->n_words += n;
  rec->n += rows;
  return true;
}

bool stimulus_recorder_add(struct stimulus_recorder *rec, const uint64_t *row, unsigned words, bool repeat) {
  uint64_t *last = rec->n ? rec->piece[rec->at].words + rec->last : NULL;
  if (repeat && last && delta_repeats(*last) < DELTA_REPEATS_MAX) {
    *last += DELTA_REPEAT;
    return true;
  }
  return append(rec, row, words, 1);
}

bool stimulus_recorder_add_rows(struct stimulus_recorder *rec, const uint64_t *words, size_t n, size_t rows) {
  return !n || (rec->n + rows <= RECORDED_CHANGES_MAX && append(rec, words, n, rows));
}

int stimulus_recorder_end(struct stimulus_recorder *rec, struct err *e) {
  struct delta_image image = rec->base;
  struct recorded_place place = {0};
  uint32_t repeats;
  rec->s.n = 0;
  while (stimulus_recorder_next(rec, &place, &image, &repeats)) {
    for (uint32_t k = 0; k <= repeats; k++) {
      struct stimulus_row *row = stimulus_append(&rec->s);
      if (!row) return err_set(e, ERR_LIMIT, "out of memory for the recorded stimulus");
      row->cycle = image.cycle + k;
      row->rst_n = image.rst_n;
      memcpy(row->in, image.in, rec->s.desc->in_bytes);
    }
    image.cycle += repeats;
  }
  return 0;
}

void stimulus_recorder_forget(struct stimulus_recorder *rec) {
  free(rec->piece);
  rec->piece = NULL;
  rec->n = rec->n_words = rec->n_pieces = rec->max_pieces = rec->at = 0;
}

void stimulus_recorder_free(struct stimulus_recorder *rec) {
  stimulus_free(&rec->s);
  for (size_t i = 0; i < rec->n_pieces; i++) {
    if (rec->pool) large_pool_free(rec->pool, rec->piece[i].words, rec->piece[i].bytes);
    else free(rec->piece[i].words);
  }
  stimulus_recorder_forget(rec);
}
