/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of ldesc_l1: tables that are filled, used and filled anew; lookups of lines in and beside their rows that hit, miss or wait;
 * fills of the sets that were looked up, beside the lookups; CTAs that come and go; a queue of prefetches that is drained, slow or
 * stuck; ticks that are rare or in every cycle. Now and then a hit and a miss without a lookup, or both of one. */
#include "block/block_drive.h"
#include "ldesc_l1_ports.h"

enum { ROWS_MAX = 16, RECENT = 4 };

struct ldesc_l1_drive_state {
  uint64_t base[ROWS_MAX], limit[ROWS_MAX];
  uint64_t recent[RECENT];                   /* lines that were looked up */
  uint32_t left;                             /* cycles of this phase */
  uint32_t sets, ctas, misses, ready, ticks; /* percent of them that have such an event */
  uint32_t lines, tiles, usual; /* lines of a row that are used; C-Tiles of a row; class of most rows, 4: any */
};

static const uint8_t rates[] = {0, 0, 2, 30, 100};

static uint32_t draw_class(struct rng *rng, const struct ldesc_l1_drive_state *s) {
  return s->usual == 4 || rng_below(rng, 16) == 0 ? rng_below(rng, 4) : s->usual;
}

static void draw_row(const struct ldesc_l1_cfg *cfg, struct rng *rng, struct ldesc_l1_drive_state *s,
                     struct ldesc_l1_in *in) {
  uint64_t all = UINT64_MAX >> (64 - cfg->PAW + 7);
  uint32_t row = rng_below(rng, (uint32_t)cfg->ROWS + ((cfg->ROWS & (cfg->ROWS - 1)) != 0)), far = rng_below(rng, 12);
  in->set_row = (uint8_t)row;
  in->set_base = (rng_below(rng, 4) ? rng_u64(rng) : s->base[rng_below(rng, ROWS_MAX)] + rng_below(rng, 9)) & all;
  if (rng_below(rng, 16) == 0) in->set_base = all - rng_below(rng, 300);
  in->set_limit = (in->set_base + (rng_u32(rng) & ((1U << far) - 1)) + (rng_below(rng, 8) != 0)) & all;
  if (rng_below(rng, 16) == 0) in->set_limit = all;
  in->set_insert = (uint8_t)draw_class(rng, s);
  in->set_pf = (uint8_t)rng_below(rng, 4);
  for (int32_t k = 0; k < cfg->SLOTS; k++)
    in->set_dist[k] = rng_below(rng, 8) ? (rng_u32(rng) & 1023) << rng_below(rng, far + 1) : rng_u32(rng);
  s->base[row % ROWS_MAX] = in->set_base;
  s->limit[row % ROWS_MAX] = in->set_limit;
}

static void draw_ctas(const struct ldesc_l1_cfg *cfg, struct rng *rng, const struct ldesc_l1_drive_state *s,
                      struct ldesc_l1_in *in) {
  uint32_t slots = (uint32_t)cfg->SLOTS + ((cfg->SLOTS & (cfg->SLOTS - 1)) != 0), r = rng_u32(rng);
  in->start_en = r & 1, in->end_en = r >> 1 & 1;
  in->start_slot = (uint8_t)rng_below(rng, slots);
  in->end_slot = (uint8_t)((r >> 2 & 3) ? rng_below(rng, slots) : in->start_slot);
  for (int32_t row = 0; row < cfg->ROWS; row++)
    in->start_tile[row / 2] |= (0xfffe + rng_below(rng, s->tiles)) % 65536 << 16 * (row % 2);
}

static uint64_t draw_line(const struct ldesc_l1_cfg *cfg, struct rng *rng, const struct ldesc_l1_drive_state *s) {
  uint64_t all = UINT64_MAX >> (64 - cfg->PAW + 7);
  uint32_t r = rng_u32(rng), row = rng_below(rng, (uint32_t)cfg->ROWS);
  uint64_t line = s->base[row] + (r >> 8) % s->lines;
  if ((r & 3) == 0) line = s->recent[r >> 2 & (RECENT - 1)];
  if ((r >> 4 & 15) == 0) line = s->limit[row] - (r >> 8 & 1);
  return line & all;
}

static void draw_lookup(const struct ldesc_l1_cfg *cfg, struct rng *rng, struct ldesc_l1_drive_state *s,
                        struct ldesc_l1_in *in) {
  uint32_t r = rng_u32(rng), odd = (cfg->WAYS & (cfg->WAYS - 1)) != 0;
  uint64_t line = draw_line(cfg, rng, s);
  in->at_en = (r & 7) != 0;
  in->at_addr = line << 7 | (r >> 3 & 127);
  in->miss_en = rng_percent(rng, s->misses) && (in->at_en || (r >> 10 & 15) == 0);
  in->hit_en = (!in->miss_en && (r >> 14 & 3) && in->at_en) || (r >> 16 & 63) == 0;
  in->hit_way = (uint8_t)rng_below(rng, (uint32_t)cfg->WAYS + odd);
  s->recent[r >> 22 & (RECENT - 1)] = line;
}

static uint64_t draw_ranks(const struct ldesc_l1_cfg *cfg, struct rng *rng) {
  uint32_t ways = (uint32_t)cfg->WAYS, bits = ways <= 2 ? 1 : ways <= 4 ? 2 : 3, used = 0;
  uint64_t ranks = 0;
  for (uint32_t way = 0; way < ways; way++) {
    uint32_t rank = rng_below(rng, ways);
    while (used >> rank & 1) rank = (rank + 1) % ways;
    used |= 1U << rank;
    ranks |= (uint64_t)rank << bits * way;
  }
  return ranks;
}

static void draw_fill(const struct ldesc_l1_cfg *cfg, struct rng *rng, const struct ldesc_l1_drive_state *s,
                      struct ldesc_l1_in *in) {
  uint32_t r = rng_u32(rng), all = (1U << cfg->WAYS) - 1;
  in->fill_en = (r & 3) != 0;
  in->fill_set = (uint8_t)(((r >> 2 & 7) ? s->recent[r >> 5 & (RECENT - 1)] : r >> 8) & ((uint32_t)cfg->SETS - 1));
  in->valid = (uint8_t)((r >> 16 & 7) ? all : rng_u32(rng) & all);
  in->lock = (uint8_t)((r >> 19 & 7) ? 0 : rng_u32(rng) & all);
  in->lru = (uint32_t)draw_ranks(cfg, rng);
  in->fill_prio = (uint8_t)draw_class(rng, s);
}

static void draw_phase(struct rng *rng, struct ldesc_l1_drive_state *s) {
  static const uint8_t drained[] = {100, 100, 50, 10, 0};
  s->left = 1 + rng_below(rng, 300);
  s->sets = rates[rng_below(rng, 4)];
  s->ctas = rates[rng_below(rng, sizeof rates)];
  s->misses = rng_below(rng, 4) ? 20 + rng_below(rng, 81) : 0;
  s->ready = drained[rng_below(rng, sizeof drained)];
  s->ticks = rates[rng_below(rng, sizeof rates)];
  s->lines = rng_below(rng, 2) ? 2 : 1 + rng_below(rng, 300);
  s->tiles = 1 + rng_below(rng, 12);
  s->usual = rng_below(rng, 5);
}

static void ldesc_l1_drive(const struct ldesc_l1_cfg *cfg, struct rng *rng, struct ldesc_l1_drive_state *s,
                           const struct ldesc_l1_out *last, struct ldesc_l1_in *in) {
  bool first = s->tiles == 0;
  (void)last;
  if (s->left == 0) draw_phase(rng, s);
  s->left--;
  in->clear_en = rng_below(rng, 512) == 0;
  in->set_en = first || rng_percent(rng, s->sets);
  for (int32_t k = 0; k < cfg->SLOTS; k++) in->set_dist[k] = 0;
  for (int32_t k = 0; k < (cfg->ROWS + 1) / 2; k++) in->start_tile[k] = 0;
  in->start_en = in->end_en = 0;
  if (in->set_en) draw_row(cfg, rng, s, in);
  if (rng_percent(rng, s->ctas)) draw_ctas(cfg, rng, s, in);
  draw_lookup(cfg, rng, s, in);
  draw_fill(cfg, rng, s, in);
  in->tick_en = rng_percent(rng, s->ticks);
  in->pf_ready = rng_percent(rng, s->ready);
  if (rng_below(rng, 16) == 0) in->fill_en = in->at_en = in->hit_en = in->miss_en = in->tick_en = 0;
}

BLOCK_DRIVER(ldesc_l1);
