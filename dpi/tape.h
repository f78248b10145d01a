/* SPDX-License-Identifier: Apache-2.0 */
/* What an instance did, for its RTL to do later: the executed cycles since the last hand-over, inputs and outputs of the C model each
 * as delta rows, and marks between them. The simulating thread writes a tape, a checker reads it. */
#ifndef TANDEM_DPI_TAPE_H
#define TANDEM_DPI_TAPE_H

#include "delta_rows.h"

struct block;
struct large_pool;

struct tape_rows {
  uint64_t *words;
  size_t n, bytes; /* bytes: of the memory */
  size_t last;     /* head of the last row, to which repeats are added; SIZE_MAX: the next cycle begins a row */
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
  struct large_pool *pool; /* of the rows */
  struct tape_rows in, out;
  uint32_t cycles;
  struct tape_mark *marks;
  uint32_t n_marks, max_marks;
  uint64_t *data;
  size_t n_data, max_data;
};

/* Adds a cycle of the block, whose late inputs have come. The images are those before it. Returns whether the inputs took a row of
 * their own. */
bool tape_add(struct tape *, const struct block *, struct delta_image *in, struct delta_image *out);
/* Adds a mark before the next cycle, with `bytes` of data; the caller fills them in before the next call. */
void *tape_mark(struct tape *, enum tape_mark_kind, size_t bytes);
/* Forgets all cycles. */
void tape_clear(struct tape *);
void tape_free(struct tape *);

#endif
