/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups in the AMUs: each request that a slice has looked up asks the AMU of its partition for its atom; the answer
 * goes to the policy. No request waits for the answer.
 *
 * Two things come from other partitions over the bus, and are lost when there is no room for them: prefetch candidates that
 * this slice owns, and (xmem.share_fills) entries of the atom address map that another ALB has fetched. A lookup that
 * nobody waits for brings such an entry into the ALB: if it misses there, its read is answered with the entry, not
 * by memory. It comes before other lookups, since it takes a cycle and saves a page's misses. An entry that is written
 * meanwhile is not used: its read goes to memory. assumption: the bus has room for all of it. */
#include "systems/xmem/agent_internal.h"

void lookups_start(struct lookups *l) {
  l->requests.size = LOOKUP_PLACES;
  l->prefetches.size = PREFETCH_PLACES;
  l->fills.size = FILL_PLACES;
  l->hints.size = HINT_PLACES;
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

void agent_looked_up(void *self, uint32_t slice, const struct mem_request *r, bool hit, bool first) {
  struct xmem_agent *a = self;
  if (!anything_known(a) || !anything_wanted(a) || !in_frames(a, r->physical)) return;
  struct lookups *l = &a->part[slice].lookups;
  uint64_t now = a->s.clocks->cycle[CLOCK_L2];
  if (ring_full(&l->requests)) {
    a->count->xmem_dropped++;
    return;
  }
  l->request[ring_push(&l->requests)] =
    (struct lookup){.physical = r->physical, .asked = now, .miss = (!hit || first) && r->kind != MEM_WRITE};
  agent_open(a);
  agent_work(a, now + 1);
}

/* ---- from other partitions ---- */

static struct hint *first_hint(struct lookups *l) { return &l->hint[l->hints.head]; }

uint64_t lookups_arrival(const struct lookups *l) {
  uint64_t hint = l->hints.count ? l->hint[l->hints.head].due : NEVER;
  uint64_t fill = l->fills.count ? l->fill[l->fills.head].due : NEVER;
  return hint < fill ? hint : fill;
}

/* At the slice that owns the line. */
static void take_candidate(struct xmem_agent *a, struct partition *k, uint64_t line, uint32_t aid) {
  struct lookups *l = &k->lookups;
  if (ring_full(&l->prefetches) || a->s.cached(a->s.memory, line)) return;
  l->prefetch[ring_push(&l->prefetches)] =
    (struct lookup){.physical = line, .asked = a->cycle, .prefetch = true, .aid = (uint8_t)aid};
}

void lookups_prefetch(struct xmem_agent *a, struct partition *from, uint64_t line, uint32_t aid) {
  if (!in_frames(a, line)) return;
  struct partition *owner = &a->part[agent_slice(a, line)];
  struct lookups *l = &owner->lookups;
  if (owner == from) {
    take_candidate(a, from, line, aid);
  } else if (!ring_full(&l->hints)) {
    l->hint[ring_push(&l->hints)] = (struct hint){.line = line, .due = a->cycle + a->bus_latency, .aid = (uint8_t)aid};
    a->count->xmem_hints++;
  }
}

void lookups_arrive(struct xmem_agent *a, struct partition *k) {
  struct lookups *l = &k->lookups;
  while (l->hints.count && first_hint(l)->due <= a->cycle) {
    struct hint h = l->hint[ring_pop(&l->hints)];
    take_candidate(a, k, h.line, h.aid);
  }
}

/* A line of the page belongs to the slice. */
static bool has_of_page(const struct xmem_agent *a, uint32_t slice, uint64_t page) {
  for (uint64_t at = 0; at < PAGE_BYTES; at += (uint64_t)a->config->line_bytes)
    if (agent_slice(a, page + at) == slice) return true;
  return false;
}

void lookups_share(struct xmem_agent *a, struct partition *from, uint64_t entry, uint64_t data) {
  uint64_t page = (entry - a->storage.aam_base) / a->entry_bytes << PAGE_BITS;
  if (!a->p->share_fills || storage_read(&a->storage, entry, a->entry_bytes) != data) return;
  for (uint32_t i = 0; i < a->n; i++) {
    struct lookups *l = &a->part[i].lookups;
    if (&a->part[i] == from || ring_full(&l->fills) || !has_of_page(a, i, page)) continue;
    l->fill[ring_push(&l->fills)] =
      (struct shared_fill){.physical = page, .entry = entry, .data = data, .due = a->cycle + a->bus_latency};
  }
}

void lookups_written(struct xmem_agent *a, uint64_t entry) {
  for (uint32_t i = 0; i < a->n; i++) {
    struct lookups *l = &a->part[i].lookups;
    for (uint32_t n = 0; n < l->fills.count; n++) {
      struct shared_fill *f = &l->fill[ring_at(&l->fills, n)];
      f->stale |= f->entry == entry;
    }
    for (uint32_t n = 0; n < INSTALLS; n++) l->installing[n].stale |= l->installing[n].entry == entry;
  }
}

const struct shared_fill *lookups_installing(const struct lookups *l, uint64_t entry) {
  for (uint32_t i = 0; i < INSTALLS; i++)
    if (l->installing[i].entry == entry && !l->installing[i].stale) return &l->installing[i];
  return NULL;
}

static uint32_t free_install(const struct lookups *l) {
  uint32_t i = 0;
  while (i < INSTALLS && l->installing[i].entry) i++;
  return i;
}

/* The next fill to bring into the ALB, or NULL. */
static const struct shared_fill *due_fill(const struct xmem_agent *a, struct lookups *l) {
  while (l->fills.count && l->fill[l->fills.head].due <= a->cycle) {
    if (!l->fill[l->fills.head].stale) return free_install(l) < INSTALLS ? &l->fill[l->fills.head] : NULL;
    ring_pop(&l->fills);
  }
  return NULL;
}

/* ---- at the AMU ---- */

void lookups_forget(struct xmem_agent *a, struct lookups *l) {
  a->count->xmem_dropped += l->requests.count;
  l->requests.count = l->prefetches.count = l->fills.count = l->hints.count = 0;
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
  const struct shared_fill *fill = due_fill(a, l);
  k->in->lk_valid = (lookups_wait(l) || fill) && l->n_free;
  if (!k->in->lk_valid) return;
  k->in->lk_pa = fill                ? fill->physical
                 : l->requests.count ? l->request[l->requests.head].physical
                                     : l->prefetch[l->prefetches.head].physical;
  k->in->lk_tag = l->free[l->n_free - 1];
  k->in->lk_ctx = a->context;
}

/* The AMU has taken the lookup that was driven. */
static void take_question(struct xmem_agent *a, struct partition *k) {
  struct lookups *l = &k->lookups;
  struct lookup *open = &l->open[l->free[--l->n_free]];
  if (!due_fill(a, l)) {
    *open = l->requests.count ? l->request[ring_pop(&l->requests)] : l->prefetch[ring_pop(&l->prefetches)];
    a->count->xmem_lookups++;
    return;
  }
  uint32_t place = free_install(l);
  l->installing[place] = l->fill[ring_pop(&l->fills)];
  *open = (struct lookup){.physical = l->installing[place].physical, .install = true, .aid = (uint8_t)place};
}

bool lookups_take(struct xmem_agent *a, struct partition *k, struct lookup *answered) {
  struct lookups *l = &k->lookups;
  const struct xmem_amu_out *out = k->out;
  if (k->in->lk_valid && out->lk_ready) take_question(a, k);
  if (!out->rs_valid) return false;
  l->free[l->n_free++] = (uint8_t)out->rs_tag;
  *answered = l->open[out->rs_tag];
  if (answered->install) {
    l->installing[answered->aid] = (struct shared_fill){0};
    return false;
  }
  ++*(out->rs_hit ? &a->count->xmem_alb_hits : &a->count->xmem_alb_misses);
  return true;
}
