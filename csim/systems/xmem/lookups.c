/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups in the AMUs: each request that a slice has looked up asks the AMU of its partition for its atom; the answer
 * goes to the policy. No request waits for the answer. */
#include "systems/xmem/agent_internal.h"

void lookups_start(struct lookups *l) {
  l->requests.size = LOOKUP_PLACES;
  l->prefetches.size = PREFETCH_PLACES;
  for (uint32_t i = 0; i < TAGS; i++) l->free[i] = (uint8_t)i;
  l->n_free = TAGS;
}

/* No lookup can return an atom: before the first context, during a context switch, and in programs without atoms. */
static bool anything_known(const struct xmem_agent *a) { return a->tables_in && a->tables.n; }

/* Without pinning and prefetching no lookups are needed: atoms then only place pages (Vijaykumar 2019, 2.6). */
static bool anything_wanted(const struct xmem_agent *a) { return a->p->pin_percent || a->p->prefetch_degree; }

static bool in_frames(const struct xmem_agent *a, uint64_t physical) {
  return physical >= DEVICE_MEMORY_BASE && physical < a->frames_end;
}

void agent_looked_up(void *self, uint32_t slice, const struct mem_request *r, bool hit) {
  struct xmem_agent *a = self;
  if (!anything_known(a) || !anything_wanted(a) || !in_frames(a, r->physical)) return;
  struct lookups *l = &a->part[slice].lookups;
  uint64_t now = a->s.clocks->cycle[CLOCK_L2];
  if (ring_full(&l->requests)) {
    a->count->xmem_dropped++;
    return;
  }
  l->request[ring_push(&l->requests)] =
    (struct lookup){.physical = r->physical, .asked = now, .miss = !hit && r->kind != MEM_WRITE};
  agent_open(a);
  agent_work(a, now + 1);
}

void lookups_prefetch(struct xmem_agent *a, struct partition *k, uint64_t physical, uint32_t aid) {
  struct lookups *l = &k->lookups;
  if (ring_full(&l->prefetches)) return;
  l->prefetch[ring_push(&l->prefetches)] =
    (struct lookup){.physical = physical, .asked = a->cycle, .prefetch = true, .aid = (uint8_t)aid};
}

void lookups_forget(struct xmem_agent *a, struct lookups *l) {
  a->count->xmem_dropped += l->requests.count;
  l->requests.count = l->prefetches.count = 0;
}

/* Drops lookups whose answers would certainly be too late. */
static void drop_stale(struct xmem_agent *a, struct lookups *l) {
  while (l->requests.count && a->cycle - l->request[l->requests.head].asked > (uint64_t)a->p->lookup_timeout) {
    ring_pop(&l->requests);
    a->count->xmem_dropped++;
  }
}

bool lookups_wait(const struct lookups *l) { return l->requests.count || l->prefetches.count; }

void lookups_drive(struct xmem_agent *a, struct partition *k) {
  struct lookups *l = &k->lookups;
  drop_stale(a, l);
  k->in->lk_valid = lookups_wait(l) && l->n_free;
  if (!k->in->lk_valid) return;
  const struct lookup *first = l->requests.count ? &l->request[l->requests.head] : &l->prefetch[l->prefetches.head];
  k->in->lk_pa = first->physical;
  k->in->lk_tag = l->free[l->n_free - 1];
  k->in->lk_ctx = a->context;
}

static void take_question(struct xmem_agent *a, struct partition *k) {
  struct lookups *l = &k->lookups;
  struct lookup *open = &l->open[l->free[--l->n_free]];
  *open = l->requests.count ? l->request[ring_pop(&l->requests)] : l->prefetch[ring_pop(&l->prefetches)];
  a->count->xmem_lookups++;
}

bool lookups_take(struct xmem_agent *a, struct partition *k, struct lookup *answered) {
  struct lookups *l = &k->lookups;
  const struct xmem_amu_out *out = k->out;
  if (k->in->lk_valid && out->lk_ready) take_question(a, k);
  if (!out->rs_valid) return false;
  l->free[l->n_free++] = (uint8_t)out->rs_tag;
  *answered = l->open[out->rs_tag];
  return true;
}
