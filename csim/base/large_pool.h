/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for logs that grow: pieces of 32 KiB times a power of two, cut from large pages where the host has them. A log touches its
 * memory once, and then a page fault for each 4 KiB costs more than filling it. Threads may share a pool. A copy of the process
 * (fork) has none of this memory. */
#ifndef TANDEM_BASE_LARGE_POOL_H
#define TANDEM_BASE_LARGE_POOL_H

#include <stddef.h>

struct large_pool;

enum { LARGE_PIECE_BYTES = 1 << 15 };

/* NULL: no memory. */
struct large_pool *large_pool_create(void);
/* Frees all pieces as well. */
void large_pool_destroy(struct large_pool *);

/* Makes *memory, of *bytes (0 and NULL at first), so long that `wanted` bytes fit, and changes *bytes; the first `kept` bytes stay.
 * Returns 0, or -1 without memory: then nothing has changed. */
int large_pool_grow(struct large_pool *, void **memory, size_t *bytes, size_t kept, size_t wanted);
/* Gives back what large_pool_grow() made; NULL is allowed. */
void large_pool_free(struct large_pool *, void *memory, size_t bytes);

#endif
