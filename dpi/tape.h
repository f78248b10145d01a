/* SPDX-License-Identifier: Apache-2.0 */
/* What an instance did, for its RTL to do later: the executed cycles since the last hand-over, inputs and outputs of the C model each
 * as delta rows, and marks between them. The simulating thread writes a tape, a checker reads it. */
#ifndef TANDEM_DPI_TAPE_H
#define TANDEM_DPI_TAPE_H

#include "delta_rows.h"

struct block;
struct large_pool;

enum { TAPE_NO_ROW = UINT32_MAX };

struct tape_rows {
  uint64_t *words;
  uint32_t n, max; /* words in use, and of the memory */
  uint32_t last;   /* head of the last row, to which repeats are added; TAPE_NO_ROW: the next cycle begins a row */
};

/* A mark stands before a cycle. */
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

struct tape {
  /* one line of the host's cache */
  struct tape_rows in, out;
  uint32_t cycles, n_marks;
  struct tape_mark *marks;
  struct large_pool *pool; /* of the rows */
  uint32_t max_marks;
  uint64_t *data;
  size_t n_data, max_data;
};

/* Adds a cycle of the block, whose late inputs have come. The images are those before it. Returns whether the inputs took a row of
 * their own. */
bool tape_add(struct tape *, const struct block *, struct delta_image *in, struct delta_image *out);
/* Adds a mark before the next cycle, with `bytes` of data; the caller fills them in before the next call. */
void *tape_mark(struct tape *, enum tape_mark_kind, size_t bytes);
/* Asks the host for the memory that tape_add() writes next: an instance's next cycle finds nothing of it in the cache. */
static inline void tape_prefetch(const struct tape *t) {
  __builtin_prefetch(t->in.words + t->in.n + 8, 1);
  __builtin_prefetch(t->out.words + t->out.n + 8, 1);
}
/* Forgets all cycles. */
void tape_clear(struct tape *);
void tape_free(struct tape *);

#endif
