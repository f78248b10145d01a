/* SPDX-License-Identifier: Apache-2.0 */
/* Prefetches into L1, requested by a proposal (sm_services.prefetch) or by L1's own prefetcher (l1.prefetch). A prefetch is sent only
 * in a cycle in which nothing else uses the interconnect port, and never takes the last free MSHR. */
#include "core/sm_state.h"

bool sm_prefetch(struct sm *sm, uint64_t address, uint8_t priority, uint32_t warp) {
  if (ring_full(&sm->prefetches)) return false;
  sm->prefetch[ring_push(&sm->prefetches)] = (struct sm_prefetch){
    .line = address & ~(uint64_t)(sm->line_bytes - 1), .warp = (uint16_t)warp, .priority = priority};
  return true;
}

void sm_prefetch_cycle(struct sm *sm) {
  struct cache *c = &sm->cache[CACHE_L1];
  const struct sm_prefetch *p = &sm->prefetch[sm->prefetches.head];
  bool beside = sm->ops && sm->ops->has_line && sm->ops->has_line(sm->system, p->line);
  if (!c->sets || beside || cache_has(c, p->line) || mshr_find(c, p->line) != MSHR_NONE) {
    ring_pop(&sm->prefetches);
    return;
  }
  if (sm->sends || c->mshrs_used + 1 >= c->mshrs || !memory_can_inject(sm->memory, sm->index)) return;
  bool counts = sm->prefetcher && (p->own || (sm->ops && sm->ops->l1));
  uint32_t m = mshr_take(c, MSHR_LINE, p->line);
  c->mshr[m].fills = true;
  c->mshr[m].priority = p->priority;
  c->mshr[m].prefetch = counts;
  c->mshr[m].warp = p->warp;
  if (counts) sm->counters.l1_prefetches++;
  sm_send(sm, MEM_READ, p->line, c->line_bytes, m, MEM_NO_CTA);
  sm->request.class = MEM_CLASS_PREFETCH;
  ring_pop(&sm->prefetches);
}
