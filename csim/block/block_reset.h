/* SPDX-License-Identifier: Apache-2.0 */
/* A reset of a block between launches, after one that was killed with work in flight. */
#ifndef TANDEM_BLOCK_BLOCK_RESET_H
#define TANDEM_BLOCK_BLOCK_RESET_H

#include "block/block.h"

/* One cycle of the block, with the inputs that it has, in reset. */
static inline void block_reset_cycle(struct block *b) {
  b->rst_n = false;
  b->quiet = false; /* with idle inputs it would be skipped */
  block_eval(b);
  block_tick(b);
  b->rst_n = true;
}

#endif
