/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/caba/sizes.h"

#include <stdlib.h>

struct size_way {
  uint64_t number, used; /* + 1; 0: empty */
  bool dirty, comes;
};

bool size_cache_create(struct size_cache *c, uint32_t bytes, uint32_t ways) {
  *c = (struct size_cache){.ways = ways, .sets = bytes / SIZE_LINE_BYTES / ways};
  if (!bytes) return true;
  c->way = calloc((size_t)c->sets * ways, sizeof *c->way);
  return c->way;
}

void size_cache_destroy(struct size_cache *c) { free(c->way); }

static struct size_way *set_of(const struct size_cache *c, uint64_t number) {
  return c->way + number % c->sets * c->ways;
}

static struct size_way *find(const struct size_cache *c, uint64_t number) {
  struct size_way *set = set_of(c, number);
  for (uint32_t w = 0; w < c->ways; w++)
    if (set[w].number == number + 1) return &set[w];
  return NULL;
}

static struct size_way *victim(const struct size_cache *c, uint64_t number) {
  struct size_way *set = set_of(c, number), *oldest = NULL;
  for (uint32_t w = 0; w < c->ways; w++)
    if (!set[w].comes && (!oldest || set[w].used < oldest->used)) oldest = &set[w];
  return oldest;
}

enum size_answer size_cache_look(struct size_cache *c, uint64_t number, bool write, uint64_t *evicted) {
  struct size_way *w = find(c, number);
  *evicted = UINT64_MAX;
  if (w) {
    w->used = ++c->uses;
    w->dirty |= write;
    return w->comes ? SIZE_COMES : SIZE_HERE;
  }
  w = victim(c, number);
  if (!w) return SIZE_MISSING;
  if (w->number && w->dirty) *evicted = w->number - 1;
  *w = (struct size_way){.number = number + 1, .used = ++c->uses, .dirty = write, .comes = true};
  return SIZE_MISSING;
}

void size_cache_came(struct size_cache *c, uint64_t number) {
  struct size_way *w = find(c, number);
  if (w) w->comes = false;
}
