/* SPDX-License-Identifier: Apache-2.0 */
#include "core/mthwp.h"

#include <string.h>

enum { TRAINED = 2 /* equal strides in a row */, PROMOTED = 3 /* warps */ };
enum { EARLY_HIGH = 20, EARLY_LOW = 10, MERGES = 150 /* in 1/1000 */ };

void mthwp_start(struct mthwp *p, uint64_t period) {
  *p = (struct mthwp){.pws.n = MTHWP_PWS, .gs.n = MTHWP_GS, .ip.n = MTHWP_IP, .degree = MTHWP_DEGREE, .period = period};
}

void mthwp_launch(struct mthwp *p, uint64_t cycle) {
  memset(p->pws.entry, 0, sizeof p->pws.entry);
  memset(p->gs.entry, 0, sizeof p->gs.entry);
  memset(p->ip.entry, 0, sizeof p->ip.entry);
  p->accesses = 0;
  p->ends = cycle + p->period;
}

/* ---- tables ---- */

/* `any`: of whichever warp. */
static struct mthwp_entry *find(struct mthwp_table *t, uint32_t pc, uint32_t warp, bool any) {
  for (uint32_t i = 0; i < t->n; i++)
    if (t->entry[i].pc == pc + 1 && (any || t->entry[i].warp == warp)) return &t->entry[i];
  return NULL;
}

/* In place of the least recently used entry; an empty one was never used. */
static struct mthwp_entry *add(const struct mthwp *p, struct mthwp_table *t, struct mthwp_entry e) {
  struct mthwp_entry *at = t->entry;
  for (uint32_t i = 1; i < t->n; i++)
    if (t->entry[i].used < at->used) at = &t->entry[i];
  e.used = p->accesses;
  *at = e;
  return at;
}

static void note_stride(struct mthwp_entry *e, int64_t stride) {
  e->seen = stride && e->stride == stride ? e->seen + 1 : stride != 0;
  e->stride = stride;
}

static int64_t train_ip(struct mthwp *p, uint32_t pc, uint32_t number, uint64_t address) {
  struct mthwp_entry *e = find(&p->ip, pc, 0, true);
  if (!e) {
    add(p, &p->ip, (struct mthwp_entry){.pc = pc + 1, .warp = number, .address = address});
    return 0;
  }
  int64_t apart = (int64_t)number - (int64_t)e->warp, distance = (int64_t)(address - e->address);
  e->used = p->accesses;
  if (!apart) return 0; /* the same warp again */
  note_stride(e, distance % apart ? 0 : distance / apart);
  e->warp = number;
  e->address = address;
  return e->seen >= TRAINED ? e->stride : 0;
}

/* Moves a stride that enough warps have to GS. */
static void promote(struct mthwp *p, uint32_t pc, int64_t stride) {
  uint32_t warps = 0;
  for (uint32_t i = 0; i < p->pws.n; i++) {
    const struct mthwp_entry *e = &p->pws.entry[i];
    warps += e->pc == pc + 1 && e->seen >= TRAINED && e->stride == stride;
  }
  if (warps < PROMOTED) return;
  for (uint32_t i = 0; i < p->pws.n; i++)
    if (p->pws.entry[i].pc == pc + 1 && p->pws.entry[i].stride == stride) p->pws.entry[i] = (struct mthwp_entry){0};
  add(p, &p->gs, (struct mthwp_entry){.pc = pc + 1, .stride = stride});
}

static int64_t train_pws(struct mthwp *p, uint32_t pc, uint32_t warp, uint64_t address) {
  struct mthwp_entry *e = find(&p->pws, pc, warp, false);
  if (!e) {
    add(p, &p->pws, (struct mthwp_entry){.pc = pc + 1, .warp = warp, .address = address});
    return 0;
  }
  e->used = p->accesses;
  note_stride(e, (int64_t)(address - e->address));
  e->address = address;
  if (e->seen < TRAINED) return 0;
  int64_t stride = e->stride;
  promote(p, pc, stride);
  return stride;
}

int64_t mthwp_train(struct mthwp *p, uint32_t pc, uint32_t warp, uint32_t number, uint64_t address) {
  p->accesses++;
  int64_t between = train_ip(p, pc, number, address);
  struct mthwp_entry *g = find(&p->gs, pc, 0, true);
  if (g) {
    g->used = p->accesses;
    return g->stride;
  }
  return between ? between : train_pws(p, pc, warp, address);
}

/* ---- throttle ---- */

static void decide(struct mthwp *p, uint64_t misses, uint64_t merges) {
  uint64_t all = misses - p->misses + merges - p->merges;
  uint64_t monitored = all ? (merges - p->merges) * 1000 / all : 0;
  uint64_t early = p->useful ? p->early * 1000 / p->useful : p->early ? UINT64_MAX : 0;
  p->merged_before = (p->merged_before + monitored) / 2;
  if (early > EARLY_HIGH) p->degree = MTHWP_DEGREES;
  else if (early >= EARLY_LOW) p->degree += p->degree < MTHWP_DEGREES;
  else if (p->merged_before > MERGES) p->degree -= p->degree > 0;
  else p->degree = MTHWP_DEGREES;
  p->useful = p->early = 0;
  p->misses = misses;
  p->merges = merges;
}

bool mthwp_lets(struct mthwp *p, uint64_t cycle, uint64_t misses, uint64_t merges) {
  if (cycle >= p->ends) {
    decide(p, misses, merges);
    p->ends = cycle + p->period;
  }
  p->turn = p->turn + 1 < MTHWP_DEGREES ? p->turn + 1 : 0;
  return p->turn >= p->degree;
}
