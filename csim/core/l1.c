/* SPDX-License-Identifier: Apache-2.0 */
/* L1 tags and MSHRs. L1 is write-through without allocation: a store neither looks it up nor
 * changes it (ours: values are performed at issue, so a stale line is a matter of time only). A
 * line is put in when its reply arrives. */
#include "core/sm_internal.h"

#include <stdlib.h>

int sm_l1_create(struct sm *sm, struct err *e) {
  const struct machine *m = sm->machine;
  struct l1 *l1 = &sm->l1;
  l1->ways = (uint32_t)m->l1_ways;
  l1->line_shift = (uint32_t)__builtin_ctz(sm->line_bytes);
  l1->sets = (uint32_t)(m->l1_bytes / (m->l1_ways * m->line_bytes));
  if (m->l1_bytes && !l1->sets)
    return err_set(e, ERR_VALUE, "l1.bytes (%lld) holds no set of %lld ways of %lld bytes; enlarge it or set it to 0",
                   (long long)m->l1_bytes, (long long)m->l1_ways, (long long)m->line_bytes);
  size_t lines = (size_t)l1->sets * l1->ways + 1;
  l1->tag = calloc(lines, sizeof *l1->tag);
  l1->used = calloc(lines, sizeof *l1->used);
  sm->mshr = calloc(sm->mshrs, sizeof *sm->mshr);
  sm->mshr_load = calloc((size_t)sm->mshrs * sm->merges, sizeof *sm->mshr_load);
  if (!l1->tag || !l1->used || !sm->mshr || !sm->mshr_load)
    return err_set(e, ERR_LIMIT, "%s: the host has no memory left for the L1", sm->path);
  for (uint32_t i = 0; i < MSHR_HASH; i++) sm->mshr_hash[i] = SM_NONE;
  sm->first_free_mshr = 0;
  for (uint32_t i = 0; i < sm->mshrs; i++) sm->mshr[i].next = (uint16_t)(i + 1 < sm->mshrs ? i + 1 : SM_NONE);
  sm->freed_mshr = SM_NONE;
  return 0;
}

/* ---- tags ---- */

static inline uint64_t *set_of(struct l1 *l1, uint64_t line, uint64_t *tag) {
  uint64_t number = line >> l1->line_shift;
  *tag = number + 1;
  return &l1->tag[number % l1->sets * l1->ways];
}

bool l1_lookup(struct l1 *l1, uint64_t line) {
  uint64_t tag;
  if (!l1->sets) return false;
  uint64_t *set = set_of(l1, line, &tag);
  for (uint32_t way = 0; way < l1->ways; way++) {
    if (set[way] != tag) continue;
    l1->used[set + way - l1->tag] = ++l1->stamp;
    return true;
  }
  return false;
}

/* Replaces the line used longest ago; empty ones were never used. */
void l1_fill(struct l1 *l1, uint64_t line) {
  uint64_t tag;
  if (!l1->sets) return;
  uint64_t *set = set_of(l1, line, &tag);
  uint64_t *used = &l1->used[set - l1->tag];
  uint32_t victim = 0;
  for (uint32_t way = 0; way < l1->ways; way++) {
    if (set[way] == tag) {
      victim = way;
      break;
    }
    if (used[way] < used[victim]) victim = way;
  }
  set[victim] = tag;
  used[victim] = ++l1->stamp;
}

/* ---- MSHRs ---- */

static inline uint16_t *chain_of(struct sm *sm, uint64_t line) {
  return &sm->mshr_hash[(line >> sm->l1.line_shift) % MSHR_HASH];
}

uint32_t mshr_find(const struct sm *sm, uint64_t line) {
  uint32_t m = sm->mshr_hash[(line >> sm->l1.line_shift) % MSHR_HASH];
  while (m != SM_NONE && sm->mshr[m].line != line) m = sm->mshr[m].next;
  return m;
}

/* Only lines are found by address: atomics and the system's reads are not merged with anything. */
uint32_t mshr_take(struct sm *sm, enum mshr_kind kind, uint64_t line) {
  uint32_t m = sm->first_free_mshr;
  invariant(m != SM_NONE, "%s: an MSHR was taken when none was free", sm->path);
  struct mshr *entry = &sm->mshr[m];
  sm->first_free_mshr = entry->next;
  sm->mshrs_used++;
  *entry = (struct mshr){.line = line, .kind = (uint8_t)kind, .next = SM_NONE};
  if (kind == MSHR_LINE) {
    uint16_t *chain = chain_of(sm, line);
    entry->next = *chain;
    *chain = (uint16_t)m;
  }
  return m;
}

void mshr_free(struct sm *sm, uint32_t m) {
  struct mshr *entry = &sm->mshr[m];
  if (entry->kind == MSHR_LINE) {
    uint16_t *link = chain_of(sm, entry->line);
    while (*link != m) link = &sm->mshr[*link].next;
    *link = entry->next;
  }
  entry->kind = MSHR_FREE;
  invariant(sm->freed_mshr == SM_NONE, "%s: two replies in one cycle", sm->path);
  sm->freed_mshr = m;
}

void mshr_recycle(struct sm *sm) {
  if (sm->freed_mshr == SM_NONE) return;
  sm->mshr[sm->freed_mshr].next = (uint16_t)sm->first_free_mshr;
  sm->first_free_mshr = sm->freed_mshr;
  sm->freed_mshr = SM_NONE;
  sm->mshrs_used--;
  sm->mshrs_changed = true;
}
