/* SPDX-License-Identifier: Apache-2.0 */
/* A cache of size lines at a memory controller (Vijaykumar 2019, 5.4.3): set-associative, LRU, written back. It holds tags; the sizes
 * themselves are in images.c. A size line has 2 bits for each of SIZE_LINES_EACH lines. */
#ifndef TANDEM_SYSTEMS_CABA_SIZES_H
#define TANDEM_SYSTEMS_CABA_SIZES_H

#include <stdbool.h>
#include <stdint.h>

enum { SIZE_LINE_BYTES = 32, SIZE_LINES_EACH = 8 * SIZE_LINE_BYTES / 2 };

struct size_way;
struct size_cache {
  struct size_way *way;
  uint32_t sets, ways;
  uint64_t uses;
};

bool size_cache_create(struct size_cache *, uint32_t bytes, uint32_t ways); /* false: out of memory */
void size_cache_destroy(struct size_cache *);

enum size_answer { SIZE_HERE, SIZE_COMES, SIZE_MISSING };
/* Looks up size line `number`; `write`: it is changed. SIZE_MISSING: it has taken a place, and *evicted is the number of a changed line
 * that was there, or UINT64_MAX; size_cache_came tells when it is there. A place whose line is on its way is not taken: then it takes
 * none. */
enum size_answer size_cache_look(struct size_cache *, uint64_t number, bool write, uint64_t *evicted);
void size_cache_came(struct size_cache *, uint64_t number);

#endif
