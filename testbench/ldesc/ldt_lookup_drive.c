/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of ldt_lookup: tables of few and of many rows that lie beside, in and across each other; addresses at both ends of a row that
 * was written, in it and anywhere; empty rows, rows that do not exist, clearing and writing in one cycle. */
#include "block/block_drive.h"
#include "ldt_lookup_ports.h"

enum { KEPT = 8 };

struct ldt_lookup_drive_state {
  uint64_t edge[KEPT]; /* lines at which rows began or ended */
  uint32_t left, sets; /* cycles of this phase; percent of them that write a row */
};

static uint64_t near(struct rng *rng, const struct ldt_lookup_drive_state *s, uint64_t all) {
  return (s->edge[rng_below(rng, KEPT)] + rng_below(rng, 3) - 1) & all;
}

static void draw_row(const struct ldt_lookup_cfg *cfg, struct rng *rng, struct ldt_lookup_drive_state *s,
                     struct ldt_lookup_in *in, uint64_t all) {
  uint64_t lines = UINT64_C(1) << rng_below(rng, 12);
  in->set_base = (rng_below(rng, 2) ? near(rng, s, all) : rng_u64(rng)) & all;
  in->set_limit = rng_below(rng, 8) ? (in->set_base + rng_u32(rng) % lines + 1) & all : in->set_base;
  if (rng_below(rng, 16) == 0) in->set_limit = all;
  in->set_row = (uint8_t)(rng_below(rng, (uint32_t)cfg->ROWS + ((cfg->ROWS & (cfg->ROWS - 1)) != 0)));
  in->set_insert = (uint8_t)rng_below(rng, 4);
  in->set_pf = (uint8_t)rng_below(rng, 4);
  s->edge[rng_below(rng, KEPT)] = in->set_base;
  s->edge[rng_below(rng, KEPT)] = in->set_limit;
}

static void ldt_lookup_drive(const struct ldt_lookup_cfg *cfg, struct rng *rng, struct ldt_lookup_drive_state *s,
                             const struct ldt_lookup_out *last, struct ldt_lookup_in *in) {
  static const uint8_t rates[] = {0, 0, 2, 30, 100};
  uint64_t all = UINT64_MAX >> (64 - cfg->PAW + 7);
  uint32_t r = rng_u32(rng);
  (void)last;
  if (s->left == 0) {
    s->left = 1 + rng_below(rng, 200);
    s->sets = rates[rng_below(rng, sizeof rates)];
  }
  s->left--;
  in->clear_en = (r & 0xff) == 0;
  in->set_en = rng_percent(rng, s->sets);
  if (in->set_en) draw_row(cfg, rng, s, in, all);
  in->at_en = (r >> 8 & 7) != 0;
  in->at_addr = ((r >> 11 & 3) ? near(rng, s, all) : rng_u64(rng) & all) << 7 | (r >> 16 & 127);
}

BLOCK_DRIVER(ldt_lookup);
