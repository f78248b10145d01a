/* SPDX-License-Identifier: Apache-2.0 */
#include "tape.h"

#include "base/err.h"
#include "base/large_pool.h"
#include "block/block.h"

#include <stdlib.h>
#include <string.h>

bool tape_create(struct tape *t, struct large_pool *pool) {
  *t = (struct tape){.last = TAPE_NO_ROW, .marks = calloc(1, sizeof *t->marks)};
  if (t->marks) t->marks->pool = pool;
  return t->marks != NULL;
}

static void *longer(void *memory, size_t bytes) {
  void *more = realloc(memory, bytes);
  invariant(more, "the host has no memory left for the cycles that are not checked yet");
  return more;
}

static __attribute__((noinline)) void more_rows(struct tape *t, const struct block *b) {
  void *words = t->words;
  size_t bytes = t->max * sizeof *t->words, word = sizeof *t->words, kept = t->n * word;
  int failed = large_pool_grow(t->marks->pool, &words, &bytes, kept, kept + TAPE_ROW_WORDS * word);
  invariant(!failed && bytes / word < TAPE_NO_ROW,
            "the host has no memory left for the cycles of %s that are not checked yet", b->path);
  t->words = words;
  t->max = (uint32_t)(bytes / word);
}

/* Writes the words that differ from the image, and makes them the image. Returns which they are. */
static inline uint64_t put_changed(uint64_t *image, const uint8_t *values, uint32_t words, uint64_t **to) {
  uint64_t mask = 0, *at = *to;
  for (uint32_t i = 0; i < words; i++) {
    uint64_t word;
    memcpy(&word, values + 8 * (size_t)i, 8);
    uint64_t differs = word != image[i];
    *at = image[i] = word; /* written even where it stays: a store costs less than a wrong guess */
    at += differs;
    mask |= differs << i;
  }
  *to = at;
  return mask;
}

struct tape_added tape_add(struct tape *t, const struct block *b, struct tape_image *image) {
  if (t->max - t->n < TAPE_ROW_WORDS) more_rows(t, b);
  uint64_t *row = t->words + t->n, *at = row + 1, gap = *b->now - image->cycle;
  uint32_t in_words = image->in_words, out_words = image->out_words;
  bool far = gap >= DELTA_GAP_FAR, wide = in_words + out_words > DELTA_MASK_IN_HEAD;
  if (far) *at++ = *b->now;
  uint64_t *masks = at;
  if (wide) at += 2;
  uint64_t in = put_changed(image->word, b->in, in_words, &at);
  uint64_t out = put_changed(image->word + in_words, b->out, out_words, &at);
  bool follows = gap == 1 && image->rst_n == (uint32_t)b->rst_n;
  struct tape_added added = {.changed = in || !follows, .same = !(in | out) && follows};
  t->cycles++;
  image->cycle = *b->now;
  image->rst_n = b->rst_n;
  if (added.same && t->last != TAPE_NO_ROW && delta_repeats(t->words[t->last]) < DELTA_REPEATS_MAX) {
    t->words[t->last] += DELTA_REPEAT;
    return added;
  }
  if (wide) masks[0] = in, masks[1] = out;
  *row = 1 | (uint64_t)b->rst_n << 1 | (far ? DELTA_GAP_FAR : gap) << DELTA_GAP_SHIFT |
         (wide ? 0 : (in | out << in_words) << DELTA_MASK_IN_HEAD);
  t->last = t->n;
  t->n += (uint32_t)(at - row);
  return added;
}

void *tape_mark(struct tape *t, enum tape_mark_kind kind, size_t bytes) {
  struct tape_marks *m = t->marks;
  size_t words = (bytes + 7) / 8;
  if (m->n == m->max) {
    m->max = m->max ? 2 * m->max : 16;
    m->mark = longer(m->mark, m->max * sizeof *m->mark);
  }
  if (m->max_data - m->n_data < words) {
    m->max_data = 2 * m->max_data + words;
    m->data = longer(m->data, m->max_data * sizeof *m->data);
  }
  m->mark[m->n++] = (struct tape_mark){.kind = kind, .at = t->cycles, .data = m->n_data};
  void *data = m->data + m->n_data;
  m->n_data += words;
  t->last = TAPE_NO_ROW;
  return data;
}

void tape_clear(struct tape *t) {
  t->n = t->cycles = 0;
  t->last = TAPE_NO_ROW;
  t->marks->n = 0;
  t->marks->n_data = 0;
}

void tape_free(struct tape *t) {
  if (!t->marks) return;
  large_pool_free(t->marks->pool, t->words, t->max * sizeof *t->words);
  free(t->marks->mark);
  free(t->marks->data);
  free(t->marks);
  *t = (struct tape){0};
}
