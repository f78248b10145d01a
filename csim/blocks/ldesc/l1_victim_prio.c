/* SPDX-License-Identifier: Apache-2.0 */
/* The victim of a set of an SM's L1 by the priority of its lines (Vijaykumar 2019, 3.4.4; assumption: widths, ports, cycle behaviour
 * and timer). The header of rtl/ldesc/l1_victim_prio.v states the contract of the ports. */
#include "block/block.h"
#include "l1_victim_prio_ports.h"

enum { SETS_MAX = 64, NORMAL = 0, HARD = 2, BYPASS = 3 };

struct l1_victim_prio_state {
  uint16_t prio[SETS_MAX]; /* of a set: two bits a way, way 0 lowest */
  uint16_t timer;          /* ticks since it began */
};

static void l1_victim_prio_reset(const struct l1_victim_prio_cfg *cfg, struct l1_victim_prio_state *s) {
  for (uint32_t set = 0; set < (uint32_t)cfg->SETS; set++) s->prio[set] = 0;
  s->timer = 0;
}

static uint32_t way_bits(const struct l1_victim_prio_cfg *cfg) { return cfg->WAYS <= 2 ? 1 : cfg->WAYS <= 4 ? 2 : 3; }

static void l1_victim_prio_eval(const struct l1_victim_prio_cfg *cfg, const struct l1_victim_prio_state *s,
                                const struct l1_victim_prio_in *in, struct l1_victim_prio_out *out) {
  uint32_t ways = (uint32_t)cfg->WAYS, bits = way_bits(cfg), ranks = (1U << bits) - 1, best = UINT32_MAX;
  out->found = out->victim = out->all_hard = out->busy = 0;
  out->clears = in->tick_en && s->timer >= cfg->TICKS - 1;
  if (!in->fill_en) return;
  for (uint32_t way = 0; way < ways; way++) {
    if (in->lock >> way & 1) continue;
    uint32_t prio = s->prio[in->set] >> 2 * way & 3, cost; /* the way with the lowest cost leaves; 0: it is invalid */
    if (!(in->valid >> way & 1)) cost = 0;
    else if (prio >= HARD) cost = HARD << 8; /* whatever its rank: the lowest way of them leaves */
    else cost = (prio << 8 | (in->lru >> bits * way & ranks)) + 1;
    if (cost >= best) continue;
    best = cost;
    out->found = 1;
    out->victim = (uint8_t)way;
    out->all_hard = cost == HARD << 8;
  }
}

static uint32_t class_of(uint32_t prio) { return prio == BYPASS ? NORMAL : prio; }

static void l1_victim_prio_tick(const struct l1_victim_prio_cfg *cfg, struct l1_victim_prio_state *s,
                                const struct l1_victim_prio_in *in, const struct l1_victim_prio_out *out) {
  uint32_t ways = (uint32_t)cfg->WAYS;
  if (in->tick_en) s->timer = out->clears ? 0 : (uint16_t)(s->timer + 1);
  if (out->clears)
    for (uint32_t set = 0; set < (uint32_t)cfg->SETS; set++) s->prio[set] = 0;
  if (out->found) {
    uint32_t at = 2 * out->victim;
    s->prio[in->set] = (uint16_t)((s->prio[in->set] & ~(3U << at)) | class_of(in->fill_prio) << at);
  }
  if (in->hit_en && in->hit_way < ways) {
    uint32_t at = 2 * in->hit_way, now = s->prio[in->hit_set] >> at & 3, asked = class_of(in->hit_prio);
    if (asked > now) s->prio[in->hit_set] = (uint16_t)((s->prio[in->hit_set] & ~(3U << at)) | asked << at);
  }
}

#include "l1_victim_prio_model.inc"
