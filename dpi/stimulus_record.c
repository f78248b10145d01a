/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder of an instance's inputs, in memory, for the stimulus that a divergence leaves. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

void stimulus_recorder_begin(struct stimulus_recorder *rec, const struct delta_image *now) {
  rec->base = *now;
  rec->n = rec->n_words = 0;
}

static bool make_room(struct stimulus_recorder *rec, size_t words) {
  size_t max = rec->max_words ? rec->max_words : 4096;
  while (max < rec->n_words + words) max *= 2;
  if (max == rec->max_words) return true;
  uint64_t *longer = realloc(rec->words, max * sizeof *longer);
  if (!longer) return false;
  rec->words = longer;
  rec->max_words = max;
  return true;
}

bool stimulus_recorder_add(struct stimulus_recorder *rec, const uint64_t *row, unsigned words, bool repeat) {
  if (repeat && rec->n && delta_repeats(rec->words[rec->last]) < DELTA_REPEATS_MAX) {
    rec->words[rec->last] += DELTA_REPEAT;
    return true;
  }
  if (!make_room(rec, words)) return false;
  rec->last = rec->n_words;
  memcpy(rec->words + rec->n_words, row, words * sizeof *row);
  rec->n_words += words;
  rec->n++;
  return true;
}

bool stimulus_recorder_add_rows(struct stimulus_recorder *rec, const uint64_t *words, size_t n, size_t rows) {
  if (!n) return true;
  if (rec->n + rows > RECORDED_ROWS_MAX || !make_room(rec, n)) return false;
  memcpy(rec->words + rec->n_words, words, n * sizeof *words);
  rec->n_words += n;
  rec->n += rows;
  return true;
}

int stimulus_recorder_end(struct stimulus_recorder *rec, struct err *e) {
  struct delta_image image = rec->base;
  const uint64_t *at = rec->words, *end = at + rec->n_words;
  rec->s.n = 0;
  while (at < end) {
    uint32_t repeats;
    size_t words = delta_decode(&image, at, end, &repeats);
    invariant(words, "the recorder of %s holds what is no row", rec->s.path);
    for (uint32_t k = 0; k <= repeats; k++) {
      struct stimulus_row *row = stimulus_append(&rec->s);
      if (!row) return err_set(e, ERR_LIMIT, "out of memory for the recorded stimulus");
      row->cycle = image.cycle + k;
      row->rst_n = image.rst_n;
      memcpy(row->in, image.in, rec->s.desc->in_bytes);
    }
    image.cycle += repeats;
    at += words;
  }
  return 0;
}

void stimulus_recorder_free(struct stimulus_recorder *rec) {
  stimulus_free(&rec->s);
  free(rec->words);
  rec->words = NULL;
  rec->n = rec->n_words = rec->max_words = 0;
}
