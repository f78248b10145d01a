/* SPDX-License-Identifier: Apache-2.0 */
/* Several knock-out tournaments in one word, computed place by place: a candidate loses at the first level at which the
 * group that it meets has a candidate and `lose` names its own group. */
#include "block/block.h"
#include "tree_pick_ports.h"

struct tree_pick_state {
  uint8_t none; /* combinational */
};

static void tree_pick_reset(const struct tree_pick_cfg *cfg, struct tree_pick_state *s) {
  (void)cfg;
  s->none = 0;
}

/* The places of the group of 2^level players that contains place p. */
static uint64_t group_of(uint32_t p, uint32_t first, uint32_t level) {
  uint64_t players = 0;
  uint32_t base = p & ~(((1U << level) - 1) << first);
  for (uint32_t k = 0; k < 1U << level; k++) players |= UINT64_C(1) << ((base + (k << first)) & 63);
  return players;
}

static void tree_pick_eval(const struct tree_pick_cfg *cfg, const struct tree_pick_state *s,
                           const struct tree_pick_in *in, struct tree_pick_out *out) {
  (void)s;
  uint32_t places = (uint32_t)cfg->W, first = (uint32_t)cfg->FIRST, levels = (uint32_t)cfg->LEVELS;
  uint64_t pick = 0, any = 0;
  for (uint32_t p = 0; p < places; p++) {
    bool lost = false;
    for (uint32_t b = 0; b < levels; b++) {
      uint32_t at = b * places + p;
      bool met = in->ask & group_of(p ^ 1U << (first + b), first, b);
      lost = lost || (met && (in->lose[at / 32] >> at % 32 & 1));
    }
    any |= (uint64_t)((in->ask & group_of(p, first, levels)) != 0) << p;
    pick |= (uint64_t)(!lost) << p;
  }
  out->pick = in->ask & pick;
  out->any = any;
}

static void tree_pick_tick(const struct tree_pick_cfg *cfg, struct tree_pick_state *s, const struct tree_pick_in *in,
                           const struct tree_pick_out *out) {
  (void)cfg, (void)s, (void)in, (void)out;
}

#include "tree_pick_model.inc"
