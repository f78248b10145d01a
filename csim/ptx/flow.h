/* SPDX-License-Identifier: Apache-2.0 */
/* The flow graph of a part and what is live in it, for the passes that need more than ptx_flow_analyse leaves in the part. */
#ifndef TANDEM_PTX_FLOW_H
#define TANDEM_PTX_FLOW_H

#include "ptx/part.h"

enum { FLOW_NONE = UINT32_MAX };

struct flow_block {
  uint32_t first, end;              /* operations */
  uint32_t successor, n_successors; /* first index into the list of successors */
  uint32_t ipdom;                   /* block; n_blocks: the virtual exit; FLOW_NONE: the exit is not reachable */
  uint32_t order;                   /* position in the post-order from the exit */
  uint32_t predecessor;             /* first index into the edge list */
  uint32_t n_predecessors;
};

struct flow_graph {
  struct part *part;
  const uint32_t *table;    /* targets of brx */
  bool exact;               /* a write of a part of a register keeps the rest of it live */
  uint32_t words;           /* of a set of registers; flow_solve_live sets it */
  struct flow_block *block; /* n_blocks, then the virtual exit */
  uint32_t n_blocks;
  uint32_t *block_of;  /* operation -> block */
  uint32_t *successor; /* blocks */
  uint32_t n_successors, successor_capacity;
  uint32_t *edge;     /* predecessors */
  uint32_t *by_order; /* blocks in post-order of the reversed graph; the virtual exit is last */
  uint32_t n_ordered;
};

/* Fills everything but part, table, exact and words, which the caller has set (words: need not be). */
void flow_build(struct arena *, struct flow_graph *);
/* Registers live at the start of each block: n_blocks sets of `words` words. */
uint64_t *flow_solve_live(struct arena *, struct flow_graph *);
/* What the successors of block `b` need at its end. */
void flow_live_out(const struct flow_graph *, const uint64_t *live_in, uint32_t b, uint64_t *live);
/* From what is live behind an operation to what is live before it. */
void flow_step_back(const struct flow_graph *, const struct ptx_op *, uint64_t *live);
/* In 32-bit registers. */
uint32_t flow_weigh(const struct flow_graph *, const uint64_t *live);

/* wmma.load of elements of 16 or 8 bits takes several operations, each of which writes a part of its registers. */
static inline bool flow_writes_part(const struct ptx_op *op) {
  return op->class == PTX_LOAD && op->memory.is_matrix && !op->memory.matrix.count && op->memory.matrix.part;
}
static inline bool flow_in(const uint64_t *set, uint32_t i) { return set[i / 64] >> i % 64 & 1; }
static inline void flow_add(uint64_t *set, uint32_t i) { set[i / 64] |= UINT64_C(1) << i % 64; }

#endif
