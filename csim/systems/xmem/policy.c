/* SPDX-License-Identifier: Apache-2.0 */
/* Use case 1 (Vijaykumar 2019, 2.5; assumption: the rule): selects which data of the active atoms the L2 pins, and
 * prefetches the rest by the declared pattern. The selection is repeated some time after atoms change. One selection
 * serves all slices, as each holds the same share of the cache and of the data. */
#include "systems/xmem/agent_internal.h"

enum { WS_UNIT = 512 };

void policy_start(struct policy *p) { p->select_at = NEVER; }

/* ---- selection ---- */

/* Order of priority: more reuse, then the smaller working set, then the lower ID. */
static bool goes_before(const uint8_t *reuse, const uint32_t *ws, uint32_t i, uint32_t j) {
  if (reuse[i] != reuse[j]) return reuse[i] > reuse[j];
  return ws[i] != ws[j] ? ws[i] < ws[j] : i < j;
}

void policy_choose(uint32_t n, const uint8_t *reuse, const uint32_t *ws, uint64_t budget, uint16_t *pin) {
  bool chosen[XMEM_IDS] = {false};
  for (uint32_t round = 0; round < n; round++) {
    uint32_t best = n;
    for (uint32_t i = 0; i < n; i++)
      if (!chosen[i] && (best == n || goes_before(reuse, ws, i, best))) best = i;
    uint64_t bytes = (uint64_t)ws[best] * WS_UNIT;
    chosen[best] = true;
    pin[best] = (uint16_t)(bytes <= budget ? 256 : 256 * budget / bytes);
    budget = bytes <= budget ? budget - bytes : 0;
  }
}

static void apply(struct xmem_agent *a) {
  struct policy *p = &a->policy;
  uint64_t budget = (uint64_t)a->config->l2_bytes * (uint64_t)a->p->pin_percent / 100;
  uint8_t reuse[XMEM_IDS] = {0};
  uint16_t pin[XMEM_IDS] = {0};
  for (uint32_t i = 0; i < p->n; i++) reuse[i] = a->tables.l2[p->order[i]].reuse;
  policy_choose(p->n, reuse, p->ws, budget, pin);
  for (uint32_t i = 0; i < XMEM_IDS; i++) p->pin[i] = 0;
  for (uint32_t i = 0; i < p->n; i++) p->pin[p->order[i]] = pin[i];
  for (uint32_t i = 0; i < a->n; i++) a->s.unpin_all(a->s.memory, i);
  p->reading = false;
  a->count->xmem_selections++;
}

/* Reads one working set per cycle. */
static void begin_reading(struct xmem_agent *a) {
  struct policy *p = &a->policy;
  p->select_at = NEVER;
  p->selected_at = a->cycle;
  p->reading = true;
  p->n = p->at = 0;
  for (uint32_t i = 0; i < a->none; i++)
    if (p->active[i] && a->tables.l2[i].reuse) p->order[p->n++] = (uint8_t)i;
  if (!p->n) apply(a);
}

void policy_drive(struct xmem_agent *a) {
  struct policy *p = &a->policy;
  if (p->select_at <= a->cycle && a->tables_in && !p->reading) begin_reading(a);
  a->part[0].in->ws_rd_en = p->reading;
  if (p->reading) a->part[0].in->ws_rd_aid = p->order[p->at];
}

bool policy_due(const struct xmem_agent *a) {
  return a->policy.reading || (a->policy.select_at <= a->cycle && a->tables_in);
}

/* assumption: after a quiet period a change triggers a selection at once, so lines of a finished tile do not stay
 * pinned; later changes are combined into one selection xmem.debounce cycles later. */
void policy_changed(struct xmem_agent *a) {
  struct policy *p = &a->policy;
  uint64_t next = p->selected_at + (uint64_t)a->p->debounce;
  if (p->select_at == NEVER) p->select_at = next > a->cycle ? next : a->cycle + 1;
}

static uint32_t working_set(struct policy *p, uint32_t context, uint32_t aid, uint32_t counted) {
  if (counted) p->counts[aid] = true;
  if (p->counts[aid]) p->kept[context][aid] = counted;
  return p->kept[context][aid];
}

void policy_take(struct xmem_agent *a) {
  struct policy *p = &a->policy;
  const struct xmem_amu_out *out = a->part[0].out;
  if (out->ab_valid) p->active[out->ab_aid] = out->ab_val;
  if (out->atoms_changed) policy_changed(a);
  if (!p->reading) return;
  p->ws[p->at] = working_set(p, a->context, p->order[p->at], out->ws_rd_val);
  if (++p->at == p->n) apply(a);
}

void policy_context(struct xmem_agent *a) {
  uint64_t table = a->storage.context_base + (uint64_t)a->context * CONTEXT_BYTES;
  for (uint32_t i = 0; i < a->none; i++) a->policy.active[i] = storage_read(&a->storage, table + i / 8, 1) >> i % 8 & 1;
  for (uint32_t i = 0; i < XMEM_IDS; i++) a->policy.counts[i] = false;
  a->policy.reading = false;
}

/* ---- lookup answers ---- */

/* XOR of the bytes: always selects the same part of the data, evenly spread. */
static uint32_t hash8(uint64_t x) {
  x ^= x >> 32;
  x ^= x >> 16;
  return (uint32_t)(x ^ x >> 8) & 0xff;
}

bool policy_pins(const struct policy *p, uint32_t aid, uint64_t physical) {
  return hash8(physical / WS_UNIT) < p->pin[aid];
}

static void act_on_request(struct xmem_agent *a, struct partition *k, const struct lookup *l, uint32_t aid) {
  a->count->xmem_active++;
  if (policy_pins(&a->policy, aid, l->physical)) {
    a->s.mark(a->s.memory, l->physical, L2_MARK_PIN);
    return;
  }
  if (a->tables.l2[aid].bypass) a->s.mark(a->s.memory, l->physical, L2_MARK_DISTANT);
  if (l->miss && a->tables.prefetch[aid].degree) prefetch_follow(a, k, l->physical, aid);
}

void policy_answer(struct xmem_agent *a, struct partition *k, const struct lookup *l, uint32_t aid, bool active) {
  if (a->p->hints == XMEM_HINTS_OFF) active = false;
  if (a->p->hints == XMEM_HINTS_RANDOM) {
    aid = l->prefetch ? l->aid : rng_below(&a->random, a->none);
    active = rng_percent(&a->random, 75);
  }
  bool late = a->cycle - l->asked > (uint64_t)a->p->lookup_timeout;
  if (late && !l->prefetch) a->count->xmem_late++;
  if (late || !active || aid == a->none || !a->tables_in) return;
  if (!l->prefetch) act_on_request(a, k, l, aid);
  else if (aid == l->aid) a->s.prefetch(a->s.memory, l->physical);
}
