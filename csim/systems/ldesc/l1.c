/* SPDX-License-Identifier: Apache-2.0 */
/* L1 as the Locality Descriptor has it (Vijaykumar 2019, 3.4.2 to 3.4.4), around block ldesc_l1, which is evaluated once a cycle: when
 * a line fills L1, when a load looks it up, or at the cycle's end. A fill comes before the lookup of its cycle, so it looks ahead to the
 * load that comes. In a cycle without one, the line that the prefetch engine offers goes through the table, for its class, and to
 * L1's queue of prefetches if that is empty: a prefetch goes when the tags are free, and is dropped there if L1 or an MSHR has it. */
#include "systems/ldesc/ldesc_internal.h"

#include "ldesc_l1_ports.h"

#include <string.h>

/* ---- inputs ---- */

/* assumption: the driver's rows are written one a cycle from the launch's first cycle on. */
static uint32_t rows_of(const struct ldesc_sm *s) {
  uint32_t rows = s->dispatcher->policy ? s->dispatcher->policy->rows : 0;
  return rows < s->p->rows ? rows : (uint32_t)s->p->rows;
}

static void drive_table(const struct ldesc_sm *s, struct ldesc_l1_in *in) {
  in->clear_en = s->clears;
  in->set_en = s->next_row < rows_of(s);
  if (!in->set_en) return;
  const struct ldesc_row *r = &s->dispatcher->policy->row[s->next_row];
  in->set_row = (uint8_t)s->next_row;
  in->set_base = r->base, in->set_limit = r->limit;
  in->set_insert = r->insert, in->set_pf = r->prefetch;
  memcpy(in->set_dist, r->distance, sizeof in->set_dist);
}

static void drive_ctas(const struct ldesc_sm *s, struct ldesc_l1_in *in) {
  const struct ldesc_policy *p = s->dispatcher->policy;
  in->start_en = s->starts;
  in->end_en = s->ending != 0;
  if (s->ending) in->end_slot = (uint8_t)__builtin_ctz(s->ending);
  if (!s->starts) return;
  in->start_slot = (uint8_t)s->start_slot;
  if (s->ending >> s->start_slot & 1) in->end_slot = in->start_slot; /* the slot is free before it is taken */
  memset(in->start_tile, 0, sizeof in->start_tile);
  for (uint32_t r = 0; r < rows_of(s); r++)
    in->start_tile[r / 2] |= (uint32_t)ldesc_tile(&p->row[r], s->dispatcher->grid, s->start_at) << 16 * (r % 2);
}

static bool ticks(const struct ldesc_sm *s) { return (*s->sm.now + 1) % LDESC_PRESCALE == 0; }

void ldesc_l1_evaluate(struct ldesc_sm *s, uint64_t line) {
  struct ldesc_l1_in *in = s->l1->in;
  drive_table(s, in);
  drive_ctas(s, in);
  s->at = line;
  s->asks = line == LDESC_NO_LINE && s->offered != LDESC_NO_LINE && !s->sm.prefetches(s->sm.sm);
  in->at_en = line != LDESC_NO_LINE || s->asks;
  if (in->at_en) in->at_addr = s->asks ? s->offered * LDESC_LINE : line;
  in->fill_en = s->fills;
  in->tick_en = ticks(s);
  in->hit_en = in->miss_en = in->pf_ready = 0;
  block_eval(s->l1);
  s->on = true;
}

/* ---- a line that fills L1 ---- */

/* Ranks by last use; the ways of a set are few. */
static uint32_t ranks_of(const struct ldesc_sm *s, const struct cache *c, uint32_t first) {
  const uint64_t stamp = (UINT64_C(1) << CACHE_PRIORITY_BIT) - 1;
  uint32_t ranks = 0;
  for (uint32_t way = 0; way < s->ways; way++) {
    uint32_t rank = 0;
    for (uint32_t other = 0; other < s->ways; other++)
      rank += (c->used[first + other] & stamp) < (c->used[first + way] & stamp);
    ranks |= rank << s->way_bits * way;
  }
  return ranks;
}

/* The load that the load/store unit takes up in this cycle. */
static uint64_t coming(const struct ldesc_sm *s) {
  struct next_line n;
  return s->sm.next_line(s->sm.sm, &n) && n.kind == MEM_READ ? n.where->line : LDESC_NO_LINE;
}

static uint32_t victim(void *self, const struct cache *c, uint32_t first, uint8_t priority) {
  struct ldesc_sm *s = self;
  struct ldesc_l1_in *in = s->l1->in;
  const struct ldesc_l1_out *out = s->l1->out;
  invariant(!s->on, "SM %u: L1 is filled after a lookup, or twice in a cycle", s->index);
  s->fills = true;
  in->fill_set = (uint8_t)(first / s->ways);
  in->valid = in->lock = 0;
  for (uint32_t way = 0; way < s->ways; way++) in->valid |= (uint8_t)((c->tag[first + way] != 0) << way);
  in->lru = ranks_of(s, c, first);
  in->fill_prio = priority;
  ldesc_l1_evaluate(s, coming(s));
  s->n->ldesc_pinned_out += out->all_hard;
  return out->found ? first + out->victim : CACHE_NO_WAY;
}

const struct cache_policy ldesc_l1_policy = {"ldesc", victim};

/* ---- a load that looks up L1 ---- */

static struct l1_insertion insertion_of(uint8_t class) {
  return class == LDESC_BYPASS ? (struct l1_insertion){.none = true} : (struct l1_insertion){.priority = class};
}

static struct l1_insertion look(void *self, uint64_t line) {
  struct ldesc_sm *s = self;
  if (!s->on) ldesc_l1_evaluate(s, line);
  invariant(s->at == line, "SM %u: L1 looks up another line than the one that came", s->index);
  return insertion_of(((const struct ldesc_l1_out *)s->l1->out)->insert);
}

static void looked_up(void *self, uint64_t line, enum l1_outcome outcome, uint32_t way) {
  struct ldesc_sm *s = self;
  const struct ldesc_l1_out *out = s->l1->out;
  s->hits = outcome == L1_HIT;
  s->hit_way = way;
  s->misses = outcome == L1_MISS || (outcome == L1_MERGED && s->p->trigger == LDESC_TRIGGER_MERGE);
  s->n->ldesc_lines += ldesc_lines_add(s->lines, line / LDESC_LINE);
  s->n->ldesc_soft += out->insert == LDESC_SOFT;
  s->n->ldesc_hard += out->insert == LDESC_HARD;
  s->n->ldesc_bypass += out->insert == LDESC_BYPASS;
}

const struct l1_hooks ldesc_l1_hooks = {.look = look, .looked_up = looked_up};

/* ---- the end of a cycle ---- */

/* assumption: a prefetched line of a row that bypasses L1 fills it as a normal one, or nobody would have it. */
static bool send_offered(struct ldesc_sm *s, const struct ldesc_l1_out *out) {
  invariant(out->pf_valid && out->pf_line == s->offered, "SM %u: another line is offered than before", s->index);
  return s->sm.prefetch(s->sm.sm, s->offered * LDESC_LINE, insertion_of(out->insert).priority, SM_NO_WARP);
}

static void note_told(struct ldesc_sm *s, const struct ldesc_l1_in *in) {
  s->next_row += in->set_en;
  if (in->end_en) {
    s->ending &= ~(1U << in->end_slot);
    s->held &= ~(1U << in->end_slot);
  }
  if (in->start_en) s->held |= 1U << in->start_slot;
  s->clears = s->starts = s->fills = s->hits = s->misses = s->on = s->asks = false;
}

void ldesc_l1_end(struct ldesc_sm *s) {
  struct ldesc_l1_in *in = s->l1->in;
  const struct ldesc_l1_out *out = s->l1->out;
  in->hit_en = s->hits, in->hit_way = (uint8_t)s->hit_way;
  in->miss_en = s->misses;
  in->pf_ready = s->asks && send_offered(s, out);
  s->n->ldesc_unpins += out->clears;
  s->n->ldesc_prefetch_full += out->lost;
  block_tick(s->l1);
  s->offered = out->pf_valid && !in->pf_ready ? out->pf_line : LDESC_NO_LINE;
  s->awake = out->busy || in->miss_en;
  note_told(s, in);
}

bool ldesc_l1_due(const struct ldesc_sm *s) {
  return s->on || s->awake || s->clears || s->starts || s->ending || s->next_row < rows_of(s) || ticks(s) ||
         !s->l1->skip;
}
