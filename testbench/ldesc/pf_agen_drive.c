/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of pf_agen: rows of few and of many lines, also at the top of memory; phases in which CTAs come and go seldom or all the time,
 * of few tiles or of many; misses at both ends of a row and in it; a queue that is drained, slow or stuck. */
#include "block/block_drive.h"
#include "pf_agen_ports.h"

enum { ROWS_MAX = 16 };

struct pf_agen_drive_state {
  uint64_t base[ROWS_MAX], limit[ROWS_MAX];
  uint32_t left, ctas, misses, ready, sets; /* cycles of this phase; percent of them that have such an event */
  uint32_t tiles, row;                      /* C-Tiles of a row; one that most misses belong to */
};

static const uint8_t rates[] = {0, 0, 2, 30, 100};

static void draw_row(const struct pf_agen_cfg *cfg, struct rng *rng, struct pf_agen_drive_state *s,
                     struct pf_agen_in *in) {
  uint64_t all = UINT64_MAX >> (64 - cfg->PAW + 7);
  uint32_t row = rng_below(rng, (uint32_t)cfg->ROWS + ((cfg->ROWS & (cfg->ROWS - 1)) != 0)), far = rng_below(rng, 14);
  in->set_row = (uint8_t)row;
  in->set_base = rng_u64(rng) & all;
  if (rng_below(rng, 8) == 0) in->set_base = all - rng_below(rng, 300);
  in->set_limit = (in->set_base + (rng_u32(rng) & ((1U << far) - 1)) + (rng_below(rng, 8) != 0)) & all;
  if (rng_below(rng, 16) == 0) in->set_limit = all;
  for (int32_t k = 0; k < cfg->SLOTS; k++)
    in->set_dist[k] = rng_below(rng, 8) ? (rng_u32(rng) & 1023) << rng_below(rng, far + 1) : rng_u32(rng);
  s->base[row % ROWS_MAX] = in->set_base;
  s->limit[row % ROWS_MAX] = in->set_limit;
}

static void draw_ctas(const struct pf_agen_cfg *cfg, struct rng *rng, const struct pf_agen_drive_state *s,
                      struct pf_agen_in *in) {
  uint32_t slots = (uint32_t)cfg->SLOTS + ((cfg->SLOTS & (cfg->SLOTS - 1)) != 0), r = rng_u32(rng);
  in->start_en = r & 1, in->end_en = r >> 1 & 1;
  in->start_slot = (uint8_t)rng_below(rng, slots);
  in->end_slot = (uint8_t)((r >> 2 & 3) ? rng_below(rng, slots) : in->start_slot);
  for (int32_t row = 0; row < cfg->ROWS; row++)
    in->start_tile[row / 2] |= (0xfffe + rng_below(rng, s->tiles)) % 65536 << 16 * (row % 2);
}

static void draw_miss(const struct pf_agen_cfg *cfg, struct rng *rng, const struct pf_agen_drive_state *s,
                      struct pf_agen_in *in) {
  uint64_t top = UINT64_MAX >> (64 - cfg->PAW);
  uint32_t r = rng_u32(rng), odd = (cfg->ROWS & (cfg->ROWS - 1)) != 0;
  uint32_t row = (r & 3) ? s->row % (uint32_t)cfg->ROWS : rng_below(rng, (uint32_t)cfg->ROWS + odd);
  uint64_t base = s->base[row % ROWS_MAX], lines = s->limit[row % ROWS_MAX] - base;
  uint64_t line = lines < 1 || lines >> 40 ? base : base + rng_u64(rng) % lines;
  if ((r >> 2 & 3) == 0) line = s->limit[row % ROWS_MAX] - 1 - (r >> 4 & 1);
  if ((r >> 5 & 15) == 0) line = base - 1 - (r >> 4 & 1);
  in->miss_row = (uint8_t)row;
  in->miss_addr = (line << 7 | (r >> 9 & 127)) & top;
  in->miss_pf = (uint8_t)((r >> 16 & 7) ? 1 + (r >> 19 & 1) : r >> 20 & 3);
}

static void pf_agen_drive(const struct pf_agen_cfg *cfg, struct rng *rng, struct pf_agen_drive_state *s,
                          const struct pf_agen_out *last, struct pf_agen_in *in) {
  static const uint8_t drained[] = {100, 100, 50, 10, 0};
  bool first = s->tiles == 0;
  (void)last;
  if (s->left == 0) {
    s->left = 1 + rng_below(rng, 300);
    s->ctas = rates[rng_below(rng, sizeof rates)];
    s->misses = rng_below(rng, 4) ? 20 + rng_below(rng, 81) : 0;
    s->ready = drained[rng_below(rng, sizeof drained)];
    s->sets = rates[rng_below(rng, 4)];
    s->tiles = 1 + rng_below(rng, 12);
    s->row = rng_below(rng, ROWS_MAX);
  }
  s->left--;
  in->clear_en = rng_below(rng, 2048) == 0;
  in->set_en = in->clear_en || first || rng_percent(rng, s->sets);
  for (int32_t k = 0; k < cfg->SLOTS; k++) in->set_dist[k] = 0;
  for (int32_t k = 0; k < (cfg->ROWS + 1) / 2; k++) in->start_tile[k] = 0;
  in->start_en = in->end_en = in->miss_en = 0;
  if (in->set_en) draw_row(cfg, rng, s, in);
  if (rng_percent(rng, s->ctas)) draw_ctas(cfg, rng, s, in);
  in->miss_en = rng_percent(rng, s->misses);
  if (in->miss_en) draw_miss(cfg, rng, s, in);
  in->pf_ready = rng_percent(rng, s->ready);
}

BLOCK_DRIVER(pf_agen);
