/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of tree_pick: candidates of any density; `lose` mostly as the caller must set it, sometimes random. */
#include "block/block_drive.h"
#include "tree_pick_ports.h"

struct tree_pick_drive_state {
  uint8_t none;
};

/* One random bit per meeting: its lower group loses, or else its upper one. */
static uint64_t losers(const struct tree_pick_cfg *cfg, uint32_t level, uint64_t r) {
  uint64_t lose = 0;
  uint32_t bit = 1U << ((uint32_t)cfg->FIRST + level);
  for (uint32_t p = 0; p < (uint32_t)cfg->W; p++) {
    uint32_t meeting = p & ~(((2U << level) - 1) << (uint32_t)cfg->FIRST);
    lose |= ((r >> meeting & 1) ^ ((p & bit) != 0)) << p;
  }
  return lose;
}

static void tree_pick_drive(const struct tree_pick_cfg *cfg, struct rng *rng, struct tree_pick_drive_state *s,
                            const struct tree_pick_out *last, struct tree_pick_in *in) {
  (void)s, (void)last;
  uint32_t places = (uint32_t)cfg->W, kind = rng_below(rng, 4);
  uint64_t a = rng_u64(rng), all = UINT64_MAX >> (64 - places);
  in->ask = (kind == 0 ? a & rng_u64(rng) & rng_u64(rng) : kind == 1 ? a : kind == 2 ? a | rng_u64(rng) : 0) & all;
  bool any = rng_percent(rng, 10);
  __builtin_memset(in->lose, 0, sizeof in->lose);
  for (uint32_t b = 0; b < (uint32_t)cfg->LEVELS; b++) {
    uint64_t r = rng_u64(rng), level = any ? r & all : losers(cfg, b, r);
    uint32_t at = b * places;
    in->lose[at / 32] |= (uint32_t)(level << at % 32);
    if (places == 64) in->lose[at / 32 + 1] |= (uint32_t)(level >> 32);
  }
}

BLOCK_DRIVER(tree_pick);
