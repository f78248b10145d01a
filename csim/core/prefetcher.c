/* SPDX-License-Identifier: Apache-2.0 */
/* L1's own prefetcher (l1.prefetch): what loads teach it, and what it asks for (core/prefetch.c sends it). And whether prefetches were of
 * use, its own or those of a proposal with hooks of L1. */
#include "core/mthwp.h"
#include "core/sm_state.h"

#include <stdlib.h>
#include <string.h>

struct sm_prefetcher {
  struct mthwp tables;
  bool trains; /* else prefetches are a proposal's */
  bool *waits; /* of each line of L1: it was prefetched, and nobody has asked for it */
};

int sm_prefetcher_create(struct sm *sm, struct err *e) {
  const struct cache *c = &sm->cache[CACHE_L1];
  bool trains = sm->config->l1_prefetch != L1_PREFETCH_NONE;
  if (!(trains || (sm->ops && sm->ops->l1)) || !c->sets) return 0;
  struct sm_prefetcher *p = sm->prefetcher = calloc(1, sizeof *p + (size_t)c->sets * c->ways);
  if (!p) return err_set(e, ERR_LIMIT, "%s: the host has no memory left for its prefetcher", sm->path);
  p->waits = (bool *)(p + 1);
  p->trains = trains;
  mthwp_start(&p->tables, (uint64_t)sm->config->l1_prefetch_period);
  return 0;
}

void sm_prefetcher_launch(struct sm *sm) {
  const struct cache *c = &sm->cache[CACHE_L1];
  if (!sm->prefetcher) return;
  memset(sm->prefetcher->waits, 0, (size_t)c->sets * c->ways);
  mthwp_launch(&sm->prefetcher->tables, *sm->now);
}

void sm_prefetcher_load(struct sm *sm, uint32_t w, const struct ptx_op *op, const struct lsu_entry *entry) {
  if (!sm->prefetcher->trains) return;
  struct mthwp *t = &sm->prefetcher->tables;
  const struct sm_warp *warp = sm->warp[w];
  const struct sm_counters *n = &sm->counters;
  uint32_t number = (uint32_t)sm->cta[warp->cta].index * sm->launch.warps_per_cta + warp->f.index;
  int64_t stride = mthwp_train(t, (uint32_t)(op - sm->kernel_ops), w, number, entry->segment[0].address);
  for (uint32_t i = 0; stride && i < entry->n; i++) {
    uint64_t address = entry->segment[i].address + (uint64_t)stride, mask = ~(uint64_t)(sm->line_bytes - 1);
    if ((address & mask) == entry->segment[i].line || ring_full(&sm->prefetches)) continue;
    if (!mthwp_lets(t, *sm->now, n->l1_misses, n->l1_merges)) continue;
    sm->prefetch[ring_push(&sm->prefetches)] =
      (struct sm_prefetch){.line = address & mask, .warp = (uint16_t)w, .own = true};
  }
}

void sm_prefetcher_hit(struct sm *sm, uint64_t line) {
  struct sm_prefetcher *p = sm->prefetcher;
  uint32_t at = cache_find(&sm->cache[CACHE_L1], line); /* CACHE_NO_WAY: a hit of ideal.memory */
  if (at == CACHE_NO_WAY || !p->waits[at]) return;
  p->waits[at] = false;
  p->tables.useful++;
  sm->counters.l1_prefetch_hits++;
}

void sm_prefetcher_filled(struct sm *sm, uint64_t line, const struct mshr *m) {
  struct sm_prefetcher *p = sm->prefetcher;
  uint32_t at = cache_find(&sm->cache[CACHE_L1], line);
  bool prefetched = m && m->prefetch, late = prefetched && m->n_loads; /* late: somebody asked while it was under way */
  sm->counters.l1_prefetch_hits += late;
  p->tables.useful += late;
  if (at == CACHE_NO_WAY) return;
  if (p->waits[at]) {
    p->tables.early++;
    sm->counters.l1_prefetch_early++;
  }
  p->waits[at] = prefetched && !late;
}
