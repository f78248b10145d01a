/* SPDX-License-Identifier: Apache-2.0 */
/* A part's operations written anew, with operations of the compiler's own between them: saving for recursion, spilling, phases. */
#ifndef TANDEM_PTX_REWRITE_H
#define TANDEM_PTX_REWRITE_H

#include "ptx/decode.h"

struct rewrite {
  struct decoder *d;
  struct part *part;
  struct ptx_op *ops;
  uint32_t n, capacity;
  uint32_t line;   /* of the operations that are added */
  uint32_t *moved; /* old operation -> the first one that is written for it */
};

struct rewrite ptx_rewrite_begin(struct decoder *, struct part *);
/* What is written from here on stands for old operation `i`: jumps to it come here. */
void ptx_rewrite_at(struct rewrite *, uint32_t i);
/* One more operation: an empty one, or a copy. Valid until the next one. */
struct ptx_op *ptx_rewrite_new(struct rewrite *);
struct ptx_op *ptx_rewrite_keep(struct rewrite *, const struct ptx_op *);
/* A load of register `reg` from local memory, or a store: `offset` from the start of the function's frame. */
void ptx_rewrite_local(struct rewrite *, uint32_t reg, bool load, uint64_t offset);
/* Where the frame keeps what ptx_rewrite_local stores: behind arguments and local variables. */
uint64_t ptx_kept_at(const struct part *);
/* Whether the operation is one of ptx_rewrite_local: true with the word in which its value lies, from ptx_kept_at on. */
bool ptx_keeps(const struct part *, const struct ptx_op *, uint32_t *word);
uint32_t ptx_kept_words(const struct part *);
/* The part has the new operations; jumps and tables lead to where their targets are now. */
void ptx_rewrite_end(struct rewrite *);
/* One more register of the part; returns its number. */
uint32_t ptx_rewrite_register(struct rewrite *, const char *name, enum ptx_type);

#endif
