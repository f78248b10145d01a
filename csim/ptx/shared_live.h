/* SPDX-License-Identifier: Apache-2.0 */
/* Which shared arrays of a kernel hold something that may still be read. */
#ifndef TANDEM_PTX_SHARED_LIVE_H
#define TANDEM_PTX_SHARED_LIVE_H

#include "ptx/linker.h"
#include "ptx/uniform.h"

enum { SHARED_WORDS = (PTX_ARRAYS + 63) / 64 };

/* A set of the arrays that the kernel's operations name (kernel.array). */
struct shared_set {
  uint64_t word[SHARED_WORDS];
};

bool ptx_shared_unite(struct shared_set *to, const struct shared_set *from); /* true if that adds any */

struct shared_live {
  uint32_t n;                /* arrays */
  const char *always;        /* why all of them are live everywhere; NULL: they are not */
  uint32_t always_line;      /* of the instruction that makes it so, or 0 */
  struct shared_set *before; /* by operation: live before it */
  struct shared_set *needs;  /* by operation: the same, and what it accesses */
};

/* Of the entry, whose graph it is. An array is live from the first operation that may have written it to the last that may read it, on any
 * path: a store writes some elements, so it ends nothing. */
struct shared_live ptx_shared_live(const struct linker *, const struct flow_graph *, const uint64_t *live_in);

/* Bytes of the arrays of a set; those of dynamic size count 0, and *dynamic says that there is one. */
uint32_t ptx_shared_bytes(const struct kernel *, const struct shared_set *, bool *dynamic);
/* The end of the array that ends last. */
uint32_t ptx_shared_extent(const struct kernel *, const struct shared_set *, bool *dynamic);

#endif
