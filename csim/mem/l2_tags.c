/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/l2_tags.h"

#include <stdlib.h>

bool l2_tags_create(struct l2_tags *t, uint32_t sets, uint32_t ways) {
  *t = (struct l2_tags){.sets = sets, .ways = ways, .by_sets = divisor_of(sets)};
  t->tag = calloc((size_t)sets * ways, sizeof *t->tag);
  t->line = calloc((size_t)sets * ways, sizeof *t->line);
  if (!t->tag || !t->line) return false;
  for (uint32_t i = 0; i < sets * ways; i++) t->line[i].mshr = L2_NO_MSHR;
  return true;
}

void l2_tags_destroy(struct l2_tags *t) {
  free(t->tag);
  free(t->line);
}

static uint32_t first_way(const struct l2_tags *t, uint64_t line) {
  return (uint32_t)remainder_of(line, &t->by_sets) * t->ways;
}

uint32_t l2_tags_find(const struct l2_tags *t, uint64_t line) {
  uint32_t first = first_way(t, line);
  for (uint32_t i = first; i < first + t->ways; i++)
    if (t->tag[i] == line + 1) return i;
  return L2_NO_WAY;
}

uint32_t l2_tags_victim(const struct l2_tags *t, uint64_t line) {
  uint32_t first = first_way(t, line), best = L2_NO_WAY;
  uint64_t oldest = UINT64_MAX;
  for (uint32_t i = first; i < first + t->ways; i++) {
    if (t->line[i].used >= oldest || t->line[i].mshr != L2_NO_MSHR) continue;
    best = i;
    oldest = t->line[i].used;
  }
  return best;
}

void l2_tags_fill(struct l2_tags *t, uint32_t at, uint64_t line) {
  t->tag[at] = line + 1;
  t->line[at].valid = t->line[at].dirty = 0;
}
