/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/alloc/hold_grant_alloc.c"
#include "equal.h"

/* The model keeps the holding pairs as words, too, and the whole hashes. */
DERIVED(hold_grant_alloc) {
  if (cfg->MODE == PLAIN) return;
  struct matrix m = {{0}};
  struct geometry g = geometry_of((uint32_t)cfg->I, (uint32_t)cfg->O);
  unpack(&g, s->prev, &m);
  for (uint32_t w = 0; w < g.n; w++) s->words[w] = m.word[w];
  if (cfg->MODE != HMHG) return;
  for (uint32_t o = 0; o < g.outputs; o++) {
    uint32_t code = 0;
    for (uint32_t b = 0; b < (uint32_t)cfg->HW; b++) code |= (s->hash[b] >> o & 1) << b;
    s->code[o] = (uint16_t)code;
  }
}

static uint32_t pair(const struct hold_grant_alloc_state *s, uint32_t at) { return s->prev[at / 32] >> at % 32 & 1; }

INVARIANT(hold_grant_alloc, holders_are_those_of_the_pairs) {
  if (cfg->MODE < RMHG) return true;
  bool good = true;
  for (uint32_t o = 0; o < (uint32_t)cfg->O; o++) {
    good &= s->holder[o] < cfg->I;
    for (uint32_t i = 0; i < (uint32_t)cfg->I; i++) good &= !pair(s, i * (uint32_t)cfg->O + o) || s->holder[o] == i;
  }
  return good;
}

INVARIANT(hold_grant_alloc, counters_in_range) {
  bool good = true;
  for (uint32_t o = 0; o < (uint32_t)cfg->O; o++) good &= (s->held[o] <= cfg->MAXHOLD) & (s->grace[o] <= cfg->GRACE);
  return good;
}
