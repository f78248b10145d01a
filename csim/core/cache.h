/* SPDX-License-Identifier: Apache-2.0 */
/* Timing state of an SM's cache: tags and MSHRs. L1, the constant cache and the texture cache are instances. */
#ifndef TANDEM_CORE_CACHE_H
#define TANDEM_CORE_CACHE_H

#include "base/divisor.h"

#include <stdbool.h>
#include <stdint.h>

struct cache;
struct err;

enum { CACHE_MSHRS = 256, MSHR_HASH = 64, MSHR_NONE = UINT16_MAX };
/* Reply tags from SM_WRITE_TAG on, SM_WRITES of them, belong to writes of the proposal that are answered; from SM_COMMAND_TAG on, to its
 * commands. */
enum { SM_WRITES = 256, SM_WRITE_TAG = 0xfe00, SM_COMMAND_TAG = 0xff00 };

enum mshr_kind { MSHR_FREE, MSHR_LINE, MSHR_ATOMIC, MSHR_SYSTEM };
struct mshr {
  uint64_t line;
  uint64_t sent; /* core cycle in which its request was sent */
  uint16_t n_loads;
  uint16_t warp;          /* of a prefetch: the slot of the one that it is for, or SM_NO_WARP */
  uint16_t next;          /* next in its hash chain, or in the free list */
  uint8_t kind, priority; /* priority: of the line */
  bool fills;             /* the reply fills a line of the cache */
  bool prefetch;          /* L1's prefetcher asked for it */
  bool kept;              /* the reply has come, and the proposal keeps it; or it expands a line that L1 has */
  uint8_t packed;         /* bytes of data in the reply; 0: all */
};

enum { CACHE_NO_WAY = UINT32_MAX, CACHE_PRIORITY_BIT = 56 };

/* Replacement policy: chooses the victim of a set. */
struct cache_policy {
  const char *name;
  /* Victim for a new line of this priority: an index of tag[] in first .. first + ways - 1, or CACHE_NO_WAY: no
   * fill. `self`: cache.policy_self. */
  uint32_t (*victim)(void *self, const struct cache *, uint32_t first, uint8_t priority);
};
/* LRU with priorities: evicts the least recently used line of the lowest priority, but never for a new line of a lower
 * priority. With all priorities equal (0 by default) this is LRU. */
extern const struct cache_policy cache_lru;

/* A set may have more tags than room for whole lines (`times`): `ways` are then its tags, and lines of fewer bytes share its room. For a
 * line that lacks room others leave, the least recently used one first; the policy is then cache_lru.
 *
 * After cache_create only the contents of tags and MSHRs change. */
struct cache {
  uint32_t sets, ways, line_bytes, line_shift; /* 0 sets: every access misses */
  uint32_t times;                              /* tags of a set for each line of which it has room; 0: one */
  uint32_t mshrs, merges;
  uint32_t latency;                               /* of a hit, load/store unit to register, core cycles */
  uint32_t tag_base;                              /* the request tag of its MSHR 0 */
  uint64_t *hits, *misses, *merged, *mshr_stalls; /* counters */
  struct divisor by_sets;
  uint64_t stamp;
  uint32_t room;   /* bytes of a set; 0: each way has room for any line */
  uint32_t lines;  /* with `room`: that are there */
  uint16_t *takes; /* with `room`: bytes of each line */
  uint64_t *tag;   /* sets * ways: line number + 1, 0: empty */
  uint64_t *used;  /* of each line: priority << CACHE_PRIORITY_BIT | stamp of the last use */
  const struct cache_policy *policy;
  void *policy_self;
  struct mshr *mshr;
  uint16_t *load; /* mshrs * merges */
  uint32_t mshrs_used, freed, first_free;
  uint16_t hash[MSHR_HASH];
};

/* Allocates tags and MSHRs; the caller has set the geometry (the first four lines of the structure), `ways` without the additional tags. `bytes` is the
 * cache size, `name` its section in the GPU configuration. ERR_VALUE: smaller than one set; ERR_LIMIT: no host
 * memory. */
int cache_create(struct cache *, uint64_t bytes, const char *name, struct err *);
void cache_destroy(struct cache *);
/* Invalidates every line. MSHRs are kept. */
void cache_clear(struct cache *);

bool cache_lookup(struct cache *, uint64_t line);    /* a hit updates the line's last use */
bool cache_has(const struct cache *, uint64_t line); /* has no side effect */
uint32_t cache_find(const struct cache *,
                    uint64_t line); /* the line's index in tag[], or CACHE_NO_WAY; no side effect */
void cache_fill(struct cache *, uint64_t line, uint8_t priority);
/* With `room`: a line that takes `bytes` of its set. Its index; CACHE_NO_WAY: lines of a higher priority leave no room, and it is not there. */
uint32_t cache_fill_part(struct cache *, uint64_t line, uint8_t priority, uint32_t bytes);

uint32_t mshr_find(const struct cache *, uint64_t line); /* or MSHR_NONE */
/* Only line requests are found by mshr_find; atomics and the proposal's reads never merge. An MSHR must be free. */
uint32_t mshr_take(struct cache *, enum mshr_kind, uint64_t line);
void mshr_free(struct cache *, uint32_t); /* reusable after mshr_recycle, in the next cycle */
void mshr_recycle(struct cache *);

#endif
