/* SPDX-License-Identifier: Apache-2.0 */
/* Naive set-associative cache with LRU replacement: each set is a queue of lines, the most recently used one first. Lines may
 * be pinned, busy (being fetched) or demoted, as the L2's may. */
#ifndef TANDEM_TESTS_KIT_NAIVE_CACHE_H
#define TANDEM_TESTS_KIT_NAIVE_CACHE_H

#include "kit/test.h"

enum { NAIVE_SETS = 320, NAIVE_WAYS = 16, NAIVE_NO_WAY = 0xffff };

struct naive_line {
  uint64_t line;
  uint32_t way;
  bool pinned, busy, demoted;
};

struct naive_cache {
  uint32_t sets, ways;
  struct naive_set {
    uint32_t n;
    struct naive_line queue[NAIVE_WAYS];
  } set[NAIVE_SETS];
};

static inline void naive_cache_open(struct naive_cache *c, uint32_t sets, uint32_t ways) {
  memset(c, 0, sizeof *c);
  c->sets = sets;
  c->ways = ways;
}

static inline struct naive_set *naive_set_of(struct naive_cache *c, uint64_t line) { return &c->set[line % c->sets]; }

static inline struct naive_line *naive_cache_find(struct naive_cache *c, uint64_t line) {
  struct naive_set *s = naive_set_of(c, line);
  for (uint32_t i = 0; i < s->n; i++)
    if (s->queue[i].line == line) return &s->queue[i];
  return NULL;
}

/* Puts `l` at the front of the queue, from place `at`. */
static inline void naive_to_front(struct naive_set *s, uint32_t at, struct naive_line l) {
  memmove(s->queue + 1, s->queue, at * sizeof *s->queue);
  s->queue[0] = l;
}

static inline bool naive_cache_touch(struct naive_cache *c, uint64_t line) {
  struct naive_set *s = naive_set_of(c, line);
  struct naive_line *l = naive_cache_find(c, line);
  if (!l) return false;
  l->demoted = false;
  naive_to_front(s, (uint32_t)(l - s->queue), *l);
  return true;
}

/* Place in the queue of the line that goes: a demoted one, else the one used longest ago, pinned lines only if all are. */
static inline uint32_t naive_victim(const struct naive_set *s) {
  uint32_t demoted = NAIVE_NO_WAY, oldest = NAIVE_NO_WAY, pinned = NAIVE_NO_WAY;
  for (uint32_t i = 0; i < s->n; i++) {
    const struct naive_line *l = &s->queue[i];
    if (l->busy) continue;
    if (l->pinned && (pinned == NAIVE_NO_WAY || l->way < s->queue[pinned].way)) pinned = i;
    if (l->pinned) continue;
    oldest = i;
    if (l->demoted && (demoted == NAIVE_NO_WAY || l->way < s->queue[demoted].way)) demoted = i;
  }
  return demoted != NAIVE_NO_WAY ? demoted : oldest != NAIVE_NO_WAY ? oldest : pinned;
}

/* Puts `line` in, where it is not; returns its way, or NAIVE_NO_WAY: every line is busy. */
static inline uint32_t naive_cache_put(struct naive_cache *c, uint64_t line) {
  struct naive_set *s = naive_set_of(c, line);
  struct naive_line l = {.line = line};
  uint32_t at = s->n;
  if (s->n < c->ways) {
    for (uint32_t i = 0; i < s->n; i++)
      if (s->queue[i].way == l.way) l.way++, i = UINT32_MAX; /* look again for this way */
    s->n++;
  } else {
    at = naive_victim(s);
    if (at == NAIVE_NO_WAY) return at;
    l.way = s->queue[at].way;
  }
  naive_to_front(s, at, l);
  return l.way;
}

#endif
