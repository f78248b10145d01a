/* SPDX-License-Identifier: Apache-2.0 */
#include "tape.h"

#include "base/err.h"
#include "base/large_pool.h"
#include "block/block.h"

#include <stdlib.h>
#include <string.h>

static void *longer(void *memory, size_t bytes) {
  void *more = realloc(memory, bytes);
  invariant(more, "the host has no memory left for the cycles that are not checked yet");
  return more;
}

static void more_rows(struct large_pool *pool, struct tape_rows *r, const struct block *b) {
  void *words = r->words;
  size_t bytes = r->max * sizeof *r->words, word = sizeof *r->words, kept = r->n * word;
  int failed = large_pool_grow(pool, &words, &bytes, kept, kept + DELTA_ROW_WORDS * word);
  invariant(!failed && bytes / word < TAPE_NO_ROW,
            "the host has no memory left for the cycles of %s that are not checked yet", b->path);
  r->words = words;
  r->max = (uint32_t)(bytes / word);
}

/* Returns whether the cycle took a row. */
static inline bool add(struct large_pool *pool, struct tape_rows *r, const struct block *b, struct delta_image *image,
                       const void *values) {
  bool repeat;
  if (r->max - r->n < DELTA_ROW_WORDS) more_rows(pool, r, b);
  unsigned words = delta_encode(image, *b->now, b->rst_n, values, r->words + r->n, &repeat);
  if (repeat && r->last != TAPE_NO_ROW && delta_repeats(r->words[r->last]) < DELTA_REPEATS_MAX) {
    r->words[r->last] += DELTA_REPEAT;
    return false;
  }
  r->last = r->n;
  r->n += words;
  return true;
}

bool tape_add(struct tape *t, const struct block *b, struct delta_image *in, struct delta_image *out) {
  t->cycles++;
  add(t->pool, &t->out, b, out, b->out);
  return add(t->pool, &t->in, b, in, b->in);
}

void *tape_mark(struct tape *t, enum tape_mark_kind kind, size_t bytes) {
  size_t words = (bytes + 7) / 8;
  if (t->n_marks == t->max_marks) {
    t->max_marks = t->max_marks ? 2 * t->max_marks : 16;
    t->marks = longer(t->marks, t->max_marks * sizeof *t->marks);
  }
  if (t->max_data - t->n_data < words) {
    t->max_data = 2 * t->max_data + words;
    t->data = longer(t->data, t->max_data * sizeof *t->data);
  }
  t->marks[t->n_marks++] = (struct tape_mark){.kind = kind, .at = t->cycles, .data = t->n_data};
  void *data = t->data + t->n_data;
  t->n_data += words;
  t->in.last = t->out.last = TAPE_NO_ROW;
  return data;
}

void tape_clear(struct tape *t) {
  t->in.n = t->out.n = 0;
  t->in.last = t->out.last = TAPE_NO_ROW;
  t->cycles = t->n_marks = 0;
  t->n_data = 0;
}

void tape_free(struct tape *t) {
  large_pool_free(t->pool, t->in.words, t->in.max * sizeof *t->in.words);
  large_pool_free(t->pool, t->out.words, t->out.max * sizeof *t->out.words);
  free(t->marks);
  free(t->data);
  *t = (struct tape){0};
}
