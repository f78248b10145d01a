/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of l1_victim_prio: phases in which few or many sets are used, lines of one class or of all, ticks that are rare or in every
 * cycle. Ways that are locked or invalid in every mixture; ranks that are an order of use, and ranks that repeat. */
#include "block/block_drive.h"
#include "l1_victim_prio_ports.h"

struct l1_victim_prio_drive_state {
  uint32_t left;        /* cycles of this phase */
  uint32_t set, spread; /* sets from `set` on, one of `spread` */
  uint32_t usual;       /* class of most lines; 4: any */
  uint32_t ticks;       /* percent of cycles */
};

static uint64_t draw_ranks(const struct l1_victim_prio_cfg *cfg, struct rng *rng) {
  uint32_t ways = (uint32_t)cfg->WAYS, bits = ways <= 2 ? 1 : ways <= 4 ? 2 : 3, used = 0;
  uint64_t ranks = 0;
  bool repeats = rng_below(rng, 8) == 0;
  for (uint32_t way = 0; way < ways; way++) {
    uint32_t rank = rng_below(rng, ways);
    while (!repeats && used >> rank & 1) rank = (rank + 1) % ways;
    used |= 1U << rank;
    ranks |= (uint64_t)rank << bits * way;
  }
  return ranks;
}

static uint32_t draw_class(struct rng *rng, const struct l1_victim_prio_drive_state *s) {
  return s->usual == 4 || rng_below(rng, 16) == 0 ? rng_below(rng, 4) : s->usual;
}

static uint32_t draw_set(const struct l1_victim_prio_cfg *cfg, struct rng *rng,
                         const struct l1_victim_prio_drive_state *s) {
  return (s->set + rng_below(rng, s->spread)) % (uint32_t)cfg->SETS;
}

static void l1_victim_prio_drive(const struct l1_victim_prio_cfg *cfg, struct rng *rng,
                                 struct l1_victim_prio_drive_state *s, const struct l1_victim_prio_out *last,
                                 struct l1_victim_prio_in *in) {
  static const uint8_t rates[] = {0, 0, 2, 30, 100};
  uint32_t ways = (uint32_t)cfg->WAYS, all = (1U << ways) - 1, odd = (ways & (ways - 1)) != 0, r = rng_u32(rng);
  if (s->left == 0) {
    s->left = 1 + rng_below(rng, 300);
    s->set = rng_below(rng, (uint32_t)cfg->SETS);
    s->spread = rng_below(rng, 3) ? 1 + rng_below(rng, 3) : (uint32_t)cfg->SETS;
    s->usual = rng_below(rng, 5);
    s->ticks = rates[rng_below(rng, sizeof rates)];
  }
  s->left--;
  in->fill_en = (r & 3) != 0;
  in->set = (uint8_t)draw_set(cfg, rng, s);
  in->valid = (uint8_t)((r >> 2 & 7) ? all : rng_u32(rng) & all);
  in->lock = (uint8_t)((r >> 5 & 3) ? 0 : rng_u32(rng) & all);
  if ((r >> 7 & 63) == 0) in->lock = (uint8_t)all;
  in->lru = (uint32_t)draw_ranks(cfg, rng);
  in->fill_prio = (uint8_t)draw_class(rng, s);
  in->hit_en = (r >> 15 & 3) == 0;
  in->hit_set = (r >> 17 & 1) ? in->set : (uint8_t)draw_set(cfg, rng, s);
  in->hit_way = (r >> 18 & 1) ? last->victim : (uint8_t)rng_below(rng, ways + odd);
  in->hit_prio = (uint8_t)draw_class(rng, s);
  in->tick_en = rng_percent(rng, s->ticks);
  if ((r >> 20 & 15) == 0) in->fill_en = in->hit_en = in->tick_en = 0;
}

BLOCK_DRIVER(l1_victim_prio);
