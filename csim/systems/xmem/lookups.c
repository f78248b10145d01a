/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups in the AMUs: each request that a slice has looked up asks the AMU of its partition for its atom; the answer
 * goes to the policy. No request waits for the answer. */
#include "systems/xmem/agent_internal.h"

void lookups_start(struct lookups *l) {
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
  if (l->request_count == LOOKUP_PLACES) {
    a->count->xmem_dropped++;
    return;
  }
  l->request[(l->request_head + l->request_count++) % LOOKUP_PLACES] =
    (struct lookup){.physical = r->physical, .asked = now, .miss = !hit && r->kind != MEM_WRITE};
  agent_open(a);
  agent_work(a, now + 1);
}

void lookups_hint(struct xmem_agent *a, struct partition *k, uint64_t physical, uint32_t aid) {
  struct lookups *l = &k->lookups;
  if (l->hint_count == HINT_PLACES) return;
  l->hint[(l->hint_head + l->hint_count++) % HINT_PLACES] =
    (struct lookup){.physical = physical, .asked = a->cycle, .hint = true, .aid = (uint8_t)aid};
}

void lookups_forget(struct xmem_agent *a, struct lookups *l) {
  a->count->xmem_dropped += l->request_count;
  l->request_count = l->hint_count = 0;
}

/* Drops lookups whose answers would certainly be too late. */
static void drop_stale(struct xmem_agent *a, struct lookups *l) {
  while (l->request_count && a->cycle - l->request[l->request_head].asked > (uint64_t)a->p->lookup_timeout) {
    l->request_head = (l->request_head + 1) % LOOKUP_PLACES;
    l->request_count--;
    a->count->xmem_dropped++;
  }
}

bool lookups_wait(const struct lookups *l) { return l->request_count || l->hint_count; }

void lookups_drive(struct xmem_agent *a, struct partition *k) {
  struct lookups *l = &k->lookups;
  drop_stale(a, l);
  k->in->lk_valid = lookups_wait(l) && l->n_free;
  if (!k->in->lk_valid) return;
  const struct lookup *first = l->request_count ? &l->request[l->request_head] : &l->hint[l->hint_head];
  k->in->lk_pa = first->physical;
  k->in->lk_tag = l->free[l->n_free - 1];
  k->in->lk_ctx = a->context;
}

static void take_question(struct xmem_agent *a, struct partition *k) {
  struct lookups *l = &k->lookups;
  struct lookup *open = &l->open[l->free[--l->n_free]];
  if (l->request_count) {
    *open = l->request[l->request_head];
    l->request_head = (l->request_head + 1) % LOOKUP_PLACES;
    l->request_count--;
  } else {
    *open = l->hint[l->hint_head];
    l->hint_head = (l->hint_head + 1) % HINT_PLACES;
    l->hint_count--;
  }
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
