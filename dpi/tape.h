/* SPDX-License-Identifier: Apache-2.0 */
/* What an instance did, for its RTL to do later: the executed cycles since the last hand-over, inputs and outputs of the C model as
 * delta rows, and marks between them. The simulating thread writes a tape, a checker reads it.
 *
 * A row is like one of delta_rows.h, but has inputs and outputs: a head, then, where the head says so, the cycle, then, with more than 32
 * words of both, a mask of the inputs and one of the outputs, then the words that changed, those of the inputs first. With at most 32
 * words the mask in the head has the inputs' bits, and above them the outputs'. */
#ifndef TANDEM_DPI_TAPE_H
#define TANDEM_DPI_TAPE_H

#include "block/block.h"
#include "delta_rows.h"

struct large_pool;

enum { TAPE_NO_ROW = UINT32_MAX, TAPE_ROW_WORDS = 2 * DELTA_WORDS_MAX + 4 };

/* A mark stands before a cycle; the next cycle begins a row. */
enum tape_mark_kind {
  TAPE_REGISTERS, /* in this cycle the registers are compared; data: those of the C model, then which bits count, as it says */
  TAPE_BEGIN,   /* the recording of the instance begins anew with this cycle */
  TAPE_SEGMENT, /* a segment of the flight recorder begins; data: digest and state of the C model */
};

struct tape_mark {
  enum tape_mark_kind kind;
  uint32_t at; /* cycles of the tape before it */
  size_t data; /* offset of its data, in words */
};

struct tape_marks {
  struct large_pool *pool; /* of the rows */
  struct tape_mark *mark;
  uint64_t *data;
  uint32_t n, max;
  size_t n_data, max_data;
};

struct tape {
  uint64_t *words;
  uint32_t n, max; /* words in use, and of the memory */
  uint32_t last;   /* head of the last row, to which repeats are added; TAPE_NO_ROW: the next cycle begins a row */
  uint32_t cycles;
  struct tape_marks *marks;
};

/* The cycle before a row: what the row is relative to. */
struct tape_image {
  uint64_t cycle;
  uint32_t rst_n;
  uint16_t in_words, out_words;       /* in_bytes and out_bytes / 8, rounded up */
  uint64_t word[2 * DELTA_WORDS_MAX]; /* the inputs, then the outputs */
};

/* An empty tape; NULL for its memory is enough. false: no memory. */
bool tape_create(struct tape *, struct large_pool *);

struct tape_added {
  bool changed; /* the inputs differ from those of the cycle before, or the cycle does not follow it */
  bool same;    /* inputs and outputs equal those of the cycle before, which this one follows */
};
/* Adds a cycle of the block, whose late inputs have come. The image is that before it. */
struct tape_added tape_add(struct tape *, const struct block *, struct tape_image *);
/* The same for a cycle in which nothing that could change the outputs has changed; false: it was not added, since other inputs did, or
 * the last row takes no more repeats. */
static inline bool tape_repeat(struct tape *t, const struct block *b, struct tape_image *image) {
  const uint8_t *in = b->in;
  uint64_t different = 0;
  if (*b->now != image->cycle + 1 || image->rst_n != (uint32_t)b->rst_n || t->last == TAPE_NO_ROW) return false;
  for (uint32_t i = 0; i < image->in_words; i++) {
    uint64_t word;
    memcpy(&word, in + 8 * (size_t)i, sizeof word);
    different |= word ^ image->word[i];
  }
  if (different || delta_repeats(t->words[t->last]) == DELTA_REPEATS_MAX) return false;
  t->words[t->last] += DELTA_REPEAT;
  t->cycles++;
  image->cycle++;
  return true;
}
/* Adds a mark before the next cycle, with `bytes` of data; the caller fills them in before the next call. */
void *tape_mark(struct tape *, enum tape_mark_kind, size_t bytes);
/* Asks the host for the memory that tape_add() writes next: an instance's next cycle finds nothing of it in the cache. */
static inline void tape_prefetch(const struct tape *t) { __builtin_prefetch(t->words + t->n + 8, 1); }
/* Forgets all cycles. */
void tape_clear(struct tape *);
void tape_free(struct tape *);

#endif
