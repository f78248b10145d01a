/* SPDX-License-Identifier: Apache-2.0 */
/* Tags and MSHRs. No cache here is ever written. L1 is write-through without allocation, and a store neither looks it
 * up nor changes it (assumption: values are read and written at issue, so a stale line affects timing only). The others
 * are read-only. A line is filled when its reply arrives. */
#include "core/cache.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

int cache_create(struct cache *c, uint64_t bytes, const char *name, struct err *e) {
  c->line_shift = (uint32_t)__builtin_ctz(c->line_bytes);
  c->sets = (uint32_t)(bytes / ((uint64_t)c->ways * c->line_bytes));
  if (bytes && !c->sets)
    return err_set(e, ERR_VALUE, "%s.bytes (%llu) holds no set of %u ways of %u bytes; enlarge it or set it to 0", name,
                   (unsigned long long)bytes, c->ways, c->line_bytes);
  if (c->sets) c->by_sets = divisor_of(c->sets);
  if (!c->policy) c->policy = &cache_lru;
  if (c->times > 1) {
    invariant(c->policy == &cache_lru, "%s: tags of lines that share room are replaced by LRU alone", name);
    c->room = c->ways * c->line_bytes;
    c->ways *= c->times;
    c->takes = calloc((size_t)c->sets * c->ways + 1, sizeof *c->takes);
  }
  size_t lines = (size_t)c->sets * c->ways + 1;
  c->tag = calloc(lines, sizeof *c->tag);
  c->used = calloc(lines, sizeof *c->used);
  c->mshr = calloc(c->mshrs, sizeof *c->mshr);
  c->load = calloc((size_t)c->mshrs * c->merges, sizeof *c->load);
  if (!c->tag || !c->used || !c->mshr || !c->load || (c->room && !c->takes))
    return err_set(e, ERR_LIMIT, "the host has no memory left for the cache '%s' of an SM", name);
  for (uint32_t i = 0; i < MSHR_HASH; i++) c->hash[i] = MSHR_NONE;
  for (uint32_t i = 0; i < c->mshrs; i++) c->mshr[i].next = (uint16_t)(i + 1 < c->mshrs ? i + 1 : MSHR_NONE);
  c->freed = MSHR_NONE;
  return 0;
}

void cache_destroy(struct cache *c) {
  free(c->tag);
  free(c->used);
  free(c->takes);
  free(c->mshr);
  free(c->load);
}

void cache_clear(struct cache *c) {
  size_t lines = (size_t)c->sets * c->ways;
  if (!lines) return;
  memset(c->tag, 0, lines * sizeof *c->tag);
  memset(c->used, 0, lines * sizeof *c->used);
  c->lines = 0;
}

/* ---- tags ---- */

static inline uint32_t first_way(const struct cache *c, uint64_t line) {
  return (uint32_t)remainder_of(line >> c->line_shift, &c->by_sets) * c->ways;
}

uint32_t cache_find(const struct cache *c, uint64_t line) {
  uint64_t tag = (line >> c->line_shift) + 1;
  if (!c->sets) return CACHE_NO_WAY;
  uint32_t first = first_way(c, line);
  for (uint32_t i = first; i < first + c->ways; i++)
    if (c->tag[i] == tag) return i;
  return CACHE_NO_WAY;
}

bool cache_has(const struct cache *c, uint64_t line) { return cache_find(c, line) != CACHE_NO_WAY; }

bool cache_lookup(struct cache *c, uint64_t line) {
  uint32_t at = cache_find(c, line);
  if (at == CACHE_NO_WAY) return false;
  c->used[at] = (c->used[at] >> CACHE_PRIORITY_BIT << CACHE_PRIORITY_BIT) | ++c->stamp;
  return true;
}

/* Empty ways have last use 0 and priority 0, so they are chosen first. */
static uint32_t lru_victim(void *self, const struct cache *c, uint32_t first, uint8_t priority) {
  (void)self;
  uint32_t victim = first;
  for (uint32_t i = first + 1; i < first + c->ways; i++)
    if (c->used[i] < c->used[victim]) victim = i;
  return c->used[victim] >> CACHE_PRIORITY_BIT > priority ? CACHE_NO_WAY : victim;
}

const struct cache_policy cache_lru = {"lru", lru_victim};

void cache_fill(struct cache *c, uint64_t line, uint8_t priority) {
  if (!c->sets) return;
  if (c->room) {
    cache_fill_part(c, line, priority, c->line_bytes);
    return;
  }
  uint32_t at = cache_find(c, line);
  if (at == CACHE_NO_WAY) at = c->policy->victim(c->policy_self, c, first_way(c, line), priority);
  if (at == CACHE_NO_WAY) return;
  c->tag[at] = (line >> c->line_shift) + 1;
  c->used[at] = (uint64_t)priority << CACHE_PRIORITY_BIT | ++c->stamp;
}

/* ---- lines that share room ---- */

/* Room of the set that lines other than the one at `but` leave. */
static uint32_t room_left(const struct cache *c, uint32_t first, uint32_t but) {
  uint32_t taken = 0;
  for (uint32_t i = first; i < first + c->ways; i++)
    if (c->tag[i] && i != but) taken += c->takes[i];
  return taken < c->room ? c->room - taken : 0;
}

/* The line that leaves next, not the one at `but`. */
static uint32_t leaver(const struct cache *c, uint32_t first, uint32_t but, uint8_t priority) {
  uint32_t best = CACHE_NO_WAY;
  for (uint32_t i = first; i < first + c->ways; i++)
    if (c->tag[i] && i != but && (best == CACHE_NO_WAY || c->used[i] < c->used[best])) best = i;
  return best == CACHE_NO_WAY || c->used[best] >> CACHE_PRIORITY_BIT > priority ? CACHE_NO_WAY : best;
}

static uint32_t empty_way(const struct cache *c, uint32_t first) {
  for (uint32_t i = first; i < first + c->ways; i++)
    if (!c->tag[i]) return i;
  return CACHE_NO_WAY;
}

static void drop(struct cache *c, uint32_t at) {
  if (at == CACHE_NO_WAY) return;
  c->tag[at] = c->used[at] = 0;
  c->lines--;
}

uint32_t cache_fill_part(struct cache *c, uint64_t line, uint8_t priority, uint32_t bytes) {
  if (!c->sets) return CACHE_NO_WAY;
  uint32_t first = first_way(c, line), at = cache_find(c, line), way;
  for (;;) {
    way = at != CACHE_NO_WAY ? at : empty_way(c, first);
    if (way != CACHE_NO_WAY && room_left(c, first, at) >= bytes) break;
    uint32_t out = leaver(c, first, at, priority);
    drop(c, out != CACHE_NO_WAY ? out : at);
    if (out == CACHE_NO_WAY) return CACHE_NO_WAY;
  }
  c->lines += !c->tag[way];
  c->tag[way] = (line >> c->line_shift) + 1;
  c->used[way] = (uint64_t)priority << CACHE_PRIORITY_BIT | ++c->stamp;
  c->takes[way] = (uint16_t)bytes;
  return way;
}

/* ---- MSHRs ---- */

static inline uint16_t *chain_of(struct cache *c, uint64_t line) {
  return &c->hash[(line >> c->line_shift) % MSHR_HASH];
}

uint32_t mshr_find(const struct cache *c, uint64_t line) {
  uint32_t m = c->hash[(line >> c->line_shift) % MSHR_HASH];
  while (m != MSHR_NONE && c->mshr[m].line != line) m = c->mshr[m].next;
  return m;
}

uint32_t mshr_take(struct cache *c, enum mshr_kind kind, uint64_t line) {
  uint32_t m = c->first_free;
  invariant(m != MSHR_NONE, "an MSHR was taken when none was free");
  struct mshr *entry = &c->mshr[m];
  c->first_free = entry->next;
  c->mshrs_used++;
  *entry = (struct mshr){.line = line, .kind = (uint8_t)kind, .next = MSHR_NONE};
  if (kind == MSHR_LINE) {
    uint16_t *chain = chain_of(c, line);
    entry->next = *chain;
    *chain = (uint16_t)m;
  }
  return m;
}

void mshr_free(struct cache *c, uint32_t m) {
  struct mshr *entry = &c->mshr[m];
  if (entry->kind == MSHR_LINE) {
    uint16_t *link = chain_of(c, entry->line);
    while (*link != m) link = &c->mshr[*link].next;
    *link = entry->next;
  }
  entry->kind = MSHR_FREE;
  invariant(c->freed == MSHR_NONE, "two replies of one cache in one cycle");
  c->freed = m;
}

void mshr_recycle(struct cache *c) {
  c->mshr[c->freed].next = (uint16_t)c->first_free;
  c->first_free = c->freed;
  c->freed = MSHR_NONE;
  c->mshrs_used--;
}
