/* SPDX-License-Identifier: Apache-2.0 */
/* A cache of an SM, as time sees it: tags and MSHRs. L1, the constant cache and the texture cache are one each. */
#ifndef TANDEM_CORE_CACHE_H
#define TANDEM_CORE_CACHE_H

#include "base/divisor.h"

#include <stdbool.h>
#include <stdint.h>

struct cache;
struct err;

enum { CACHE_MSHRS = 256, MSHR_HASH = 64, MSHR_NONE = UINT16_MAX };
enum { SM_COMMAND_TAG = 0xff00 }; /* tags of replies from here on are commands of the proposal */

enum mshr_kind { MSHR_FREE, MSHR_LINE, MSHR_ATOMIC, MSHR_SYSTEM };
struct mshr {
  uint64_t line;
  uint64_t sent; /* core cycle in which its request left */
  uint16_t n_loads;
  uint16_t next;          /* in its hash chain, or of the free list */
  uint8_t kind, priority; /* priority: of the line */
  bool fills;             /* the line goes into the cache */
};

enum { CACHE_NO_WAY = UINT32_MAX, CACHE_PRIORITY_BIT = 56 };

/* Which line of a set makes room for another one. */
struct cache_policy {
  const char *name;
  /* Index of tag[] in first .. first + ways - 1; CACHE_NO_WAY: the new line, of this priority, does not go into the cache. */
  uint32_t (*victim)(const struct cache *, uint32_t first, uint8_t priority);
};
/* The line used longest ago among those of the lowest priority; a line does not make room for one of a lower priority than its
 * own. Without priorities, which begin with 0, that is LRU. */
extern const struct cache_policy cache_lru;

/* Fixed after cache_create, apart from what the tags and MSHRs hold. */
struct cache {
  uint32_t sets, ways, line_bytes, line_shift; /* no sets: every access misses */
  uint32_t mshrs, merges;
  uint32_t latency;                               /* of a hit, load/store unit to register, core cycles */
  uint32_t tag_base;                              /* the request tag of its MSHR 0 */
  uint64_t *hits, *misses, *merged, *mshr_stalls; /* counters */
  struct divisor by_sets;
  uint64_t stamp;
  uint64_t *tag;  /* sets * ways: line number + 1, 0: empty */
  uint64_t *used; /* of each line: priority << CACHE_PRIORITY_BIT | stamp of the last use */
  const struct cache_policy *policy;
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

bool cache_lookup(struct cache *, uint64_t line);    /* touches it */
bool cache_has(const struct cache *, uint64_t line); /* changes nothing */
void cache_fill(struct cache *, uint64_t line, uint8_t priority);

uint32_t mshr_find(const struct cache *, uint64_t line); /* or MSHR_NONE */
/* Only lines are found by address: atomics and the system's reads are not merged with anything. One must be free. */
uint32_t mshr_take(struct cache *, enum mshr_kind, uint64_t line);
void mshr_free(struct cache *, uint32_t); /* reusable from mshr_recycle on: the next cycle */
void mshr_recycle(struct cache *);

#endif
