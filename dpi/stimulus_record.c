/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder of an instance's inputs, in memory, for the stimulus that a divergence leaves. */
#include "base/large_pool.h"
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

void stimulus_recorder_begin(struct stimulus_recorder *rec, const struct delta_image *now) {
  rec->base = *now;
  rec->n = rec->n_words = 0;
}

static bool make_room(struct stimulus_recorder *rec, size_t words) {
  size_t bytes = rec->bytes ? rec->bytes : 4096 * sizeof *rec->words,
         wanted = (rec->n_words + words) * sizeof *rec->words;
  void *longer = rec->words;
  if (wanted <= rec->bytes) return true;
  if (rec->pool) {
    if (large_pool_grow(rec->pool, &longer, &rec->bytes, rec->n_words * sizeof *rec->words, wanted)) return false;
  } else {
    while (bytes < wanted) bytes *= 2;
    longer = realloc(longer, bytes);
    if (!longer) return false;
    rec->bytes = bytes;
  }
  rec->words = longer;
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
  if (rec->pool) large_pool_free(rec->pool, rec->words, rec->bytes);
  else free(rec->words);
  rec->words = NULL;
  rec->n = rec->n_words = rec->bytes = 0;
}
