/* SPDX-License-Identifier: Apache-2.0 */
/* Naive atom lookaside buffer (Vijaykumar 2019, 2.4.2): sets of pages with the time of their last use, a table of misses each
 * with a queue of the lookups that wait for it. Cycle by cycle it follows the head of rtl/xmem/xmem_alb.v. */
#include "kit/naive_ages.h"
#include "kit/oracle.h"
#include "xmem_alb_ports.h"

#include <string.h>

enum { ENTRIES = 1024, UNITS = 8, MISSES = 8, WAITERS = 2 * MISSES, NONE = -1 };

struct page {
  bool there;
  uint32_t ppn;
  uint8_t atom[UNITS];
};

struct lookup {
  uint32_t unit, tag;
};

struct miss {
  bool open, asked_for, flushed;
  uint32_t ppn;
  bool mapped[UNITS]; /* since it is outstanding */
  uint8_t atom[UNITS];
  struct lookup waits[WAITERS];
  int n;
};

struct xmem_alb_naive {
  struct page page[ENTRIES];
  uint64_t used[ENTRIES], time;
  struct miss miss[MISSES];
  int to_ask[MISSES], n_to_ask; /* misses in the order in which they ask */
  /* what is compared in this cycle */
  bool lookup, update;
  uint32_t ppn, mask, aid;
  struct lookup asked;
  /* the fill that is answered */
  bool draining, install;
  int drained;
  struct page drain;
  struct xmem_alb_out shown; /* response and counters */
};

static uint32_t first_way(const struct xmem_alb_cfg *cfg, uint32_t ppn) {
  return ppn % (uint32_t)cfg->SETS * (uint32_t)cfg->WAYS;
}

static int find_page(const struct xmem_alb_cfg *cfg, const struct xmem_alb_naive *s, uint32_t ppn) {
  for (uint32_t k = first_way(cfg, ppn); k < first_way(cfg, ppn) + (uint32_t)cfg->WAYS; k++)
    if (s->page[k].there && s->page[k].ppn == ppn) return (int)k;
  return NONE;
}

static int find_miss(const struct xmem_alb_naive *s, uint32_t ppn) {
  for (int m = 0; m < MISSES; m++)
    if (s->miss[m].open && s->miss[m].ppn == ppn) return m;
  return NONE;
}

static void map(uint8_t *atom, uint32_t mask, uint32_t aid) {
  for (int u = 0; u < UNITS; u++)
    if (mask >> u & 1) atom[u] = (uint8_t)aid;
}

static void respond(struct xmem_alb_naive *s, const struct lookup *l, const uint8_t *atom, bool hit) {
  s->shown.rs_valid = 1;
  s->shown.rs_tag = (uint16_t)l->tag;
  s->shown.rs_aid = atom[l->unit];
  s->shown.rs_hit = hit;
}

static void install(const struct xmem_alb_cfg *cfg, struct xmem_alb_naive *s) {
  uint32_t first = first_way(cfg, s->drain.ppn), way = naive_tree_victim(s->used + first, (uint32_t)cfg->WAYS);
  for (uint32_t k = (uint32_t)cfg->WAYS; k-- > 0;)
    if (!s->page[first + k].there) way = k;
  s->page[first + way] = s->drain;
  s->used[first + way] = ++s->time;
  s->install = false;
}

/* The update that was taken in the last cycle. */
static void write_update(const struct xmem_alb_cfg *cfg, struct xmem_alb_naive *s) {
  int k = find_page(cfg, s, s->ppn), m = find_miss(s, s->ppn);
  if (k != NONE) map(s->page[k].atom, s->mask, s->aid);
  if (m == NONE) return;
  map(s->miss[m].atom, s->mask, s->aid);
  for (int u = 0; u < UNITS; u++) s->miss[m].mapped[u] |= s->mask >> u & 1;
  if (s->draining && s->drained == m) map(s->drain.atom, s->mask, s->aid);
}

static void take_fill(const struct xmem_alb_cfg *cfg, struct xmem_alb_naive *s, int m, uint64_t data) {
  s->draining = true;
  s->install = !s->miss[m].flushed;
  s->drained = m;
  s->drain = (struct page){.there = true, .ppn = s->miss[m].ppn};
  for (int u = 0; u < cfg->UNITS; u++) {
    uint64_t arrived = data >> u * cfg->IDW & ((1U << cfg->IDW) - 1);
    s->drain.atom[u] = s->miss[m].mapped[u] ? s->miss[m].atom[u] : (uint8_t)arrived;
  }
}

/* The lookup that was taken in the last cycle has found nothing. */
static void wait_for_page(struct xmem_alb_naive *s) {
  int m = find_miss(s, s->ppn);
  s->shown.c_miss++;
  s->shown.c_merge += m != NONE;
  if (m == NONE) {
    m = 0;
    while (s->miss[m].open) m++;
    s->miss[m] = (struct miss){.open = true, .ppn = s->ppn};
    s->to_ask[s->n_to_ask++] = m;
  }
  s->miss[m].waits[s->miss[m].n++] = s->asked;
}

static void answer_waiter(struct xmem_alb_naive *s) {
  struct miss *m = &s->miss[s->drained];
  respond(s, &m->waits[0], s->drain.atom, false);
  memmove(m->waits, m->waits + 1, (size_t)--m->n * sizeof *m->waits);
}

static void xmem_alb_naive_reset(const struct xmem_alb_cfg *cfg, struct xmem_alb_naive *s) {
  (void)cfg;
  memset(s, 0, sizeof *s);
}

static void xmem_alb_naive_eval(const struct xmem_alb_cfg *cfg, const struct xmem_alb_naive *s,
                                const struct xmem_alb_in *in, struct xmem_alb_out *out) {
  int open = 0, waiting = 0;
  for (int m = 0; m < MISSES; m++) open += s->miss[m].open, waiting += s->miss[m].open ? s->miss[m].n : 0;
  bool room = cfg->NMISS - open >= 2 && 2 * cfg->NMISS - waiting >= 2;
  *out = s->shown;
  out->lk_ready = !in->flush && !in->up_valid && !s->update && !s->install && room;
  out->fl_ready = !in->flush && !s->update && !s->draining;
  out->ms_valid = s->n_to_ask > 0;
  if (s->n_to_ask > 0) {
    out->ms_id = (uint8_t)s->to_ask[0];
    out->ms_ppn = s->miss[s->to_ask[0]].ppn;
  }
  out->busy = s->lookup || s->update || s->shown.rs_valid || open > 0;
}

static void xmem_alb_naive_tick(const struct xmem_alb_cfg *cfg, struct xmem_alb_naive *s, const struct xmem_alb_in *in,
                                const struct xmem_alb_out *out) {
  bool take_update = in->up_valid && !s->update, take_lookup = in->lk_valid && out->lk_ready;
  bool arrays_free = !s->lookup && !s->update && !in->up_valid && !in->flush;
  const struct miss *filled = &s->miss[in->fl_id];
  bool fills = in->fl_valid && out->fl_ready && filled->open && filled->asked_for;
  int found = s->lookup ? find_page(cfg, s, s->ppn) : NONE;
  bool misses = s->lookup && found == NONE, joins = misses && s->draining && find_miss(s, s->ppn) == s->drained;
  bool waits = s->draining && s->miss[s->drained].n > 0, installs = s->install && arrays_free;
  bool ends = s->draining && !s->install && !waits && !joins;

  s->shown.rs_valid = 0;
  if (found != NONE) {
    respond(s, &s->asked, s->page[found].atom, true);
    s->used[found] = ++s->time;
    s->shown.c_hit++;
  } else if (waits) {
    answer_waiter(s);
  }
  if (out->ms_valid && in->ms_ready) {
    s->miss[s->to_ask[0]].asked_for = true;
    memmove(s->to_ask, s->to_ask + 1, (size_t)--s->n_to_ask * sizeof *s->to_ask);
  }
  if (s->update) write_update(cfg, s);
  if (installs) install(cfg, s);
  if (fills) take_fill(cfg, s, in->fl_id, in->fl_data);
  if (misses) wait_for_page(s);
  if (ends) s->draining = s->miss[s->drained].open = false;
  s->lookup = take_lookup;
  s->update = take_update;
  s->shown.c_lk += take_lookup;
  if (take_lookup) s->ppn = in->lk_ppn, s->asked = (struct lookup){.unit = in->lk_sub, .tag = in->lk_tag};
  if (take_update) s->ppn = in->up_ppn, s->mask = in->up_mask, s->aid = in->up_aid;
  if (!in->flush) return;
  for (int k = 0; k < ENTRIES; k++) s->page[k].there = false;
  for (int m = 0; m < MISSES; m++) s->miss[m].flushed = true;
  s->install = false;
}

ORACLE(xmem_alb);
