/* SPDX-License-Identifier: Apache-2.0 */
/* A cache of an SM, as time sees it: tags and MSHRs. L1, the constant cache and the texture cache are one each. */
#ifndef TANDEM_CORE_CACHE_H
#define TANDEM_CORE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct err;

enum { CACHE_MSHRS = 256, MSHR_HASH = 64, MSHR_NONE = UINT16_MAX };
enum { SM_COMMAND_TAG = 0xff00 }; /* tags of replies from here on are commands of the system */

enum mshr_kind { MSHR_FREE, MSHR_LINE, MSHR_ATOMIC, MSHR_SYSTEM };
struct mshr {
  uint64_t line;
  uint64_t sent; /* core cycle in which its request left */
  uint16_t n_loads;
  uint16_t next; /* in its hash chain, or of the free list */
  uint8_t kind;
  bool fills; /* the line goes into the cache */
};

/* Fixed after cache_create, apart from what the tags and MSHRs hold. */
struct cache {
  uint32_t sets, ways, line_bytes, line_shift; /* no sets: every access misses */
  uint32_t mshrs, merges;
  uint32_t latency;                               /* of a hit, load/store unit to register, core cycles */
  uint32_t tag_base;                              /* the request tag of its MSHR 0 */
  uint64_t *hits, *misses, *merged, *mshr_stalls; /* counters */
  uint64_t stamp;
  uint64_t *tag;  /* sets * ways: line number + 1, 0: empty */
  uint64_t *used; /* stamp of the last use */
  struct mshr *mshr;
  uint16_t *load; /* mshrs * merges */
  uint32_t mshrs_used, freed, first_free;
  uint16_t hash[MSHR_HASH];
};

/* Allocates the tags and MSHRs of a cache whose shape (the first three lines) is set; `bytes` is its size. `name` is the
 * GPU configuration's section of it. ERR_VALUE: no set fits; ERR_LIMIT: no host memory. */
int cache_create(struct cache *, uint64_t bytes, const char *name, struct err *);
void cache_destroy(struct cache *);
/* Forgets every line. MSHRs stay. */
void cache_clear(struct cache *);

bool cache_lookup(struct cache *, uint64_t line); /* touches it */
void cache_fill(struct cache *, uint64_t line);

uint32_t mshr_find(const struct cache *, uint64_t line); /* or MSHR_NONE */
/* Only lines are found by address: atomics and the system's reads are not merged with anything. One must be free. */
uint32_t mshr_take(struct cache *, enum mshr_kind, uint64_t line);
void mshr_free(struct cache *, uint32_t); /* reusable from mshr_recycle on: the next cycle */
void mshr_recycle(struct cache *);

#endif
