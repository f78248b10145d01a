/* SPDX-License-Identifier: Apache-2.0 */
/* A factory that makes every block as its C model, for systems and GPUs under test. */
#ifndef TANDEM_TESTS_KIT_C_BLOCKS_H
#define TANDEM_TESTS_KIT_C_BLOCKS_H

#include "block/block.h"

struct c_blocks {
  struct block_factory factory; /* first: the factory is given its own address */
  bool skip;
};

static inline struct block *c_blocks_create(struct block_factory *f, const struct block_desc *desc, const char *path,
                                            const int32_t *params, const uint64_t *now, struct err *e) {
  return block_create_c(desc, path, params, now, ((struct c_blocks *)(void *)f)->skip, e);
}

#define C_BLOCKS(skips) \
  { .factory = {.create = c_blocks_create}, .skip = (skips) }

#endif
