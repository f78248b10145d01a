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

/* Each place takes the bit of the place whose number differs in bit `bit` alone. */
static uint64_t swapped(uint64_t mask, uint32_t bit) {
  static const uint64_t zeros[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                   0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
  uint32_t by = 1U << bit;
  return (mask & zeros[bit]) << by | (mask >> by & zeros[bit]);
}

/* `lose` of a level: bits level * places and up. */
static uint64_t losers(const struct tree_pick_in *in, uint32_t level, uint32_t places) {
  uint64_t found = 0;
  uint32_t at = level * places, words = (uint32_t)(sizeof in->lose / sizeof *in->lose);
  for (uint32_t i = at / 32; i < words && 32 * i < at + 64; i++) {
    uint64_t word = in->lose[i];
    found |= 32 * i < at ? word >> (at - 32 * i) : word << (32 * i - at);
  }
  return found;
}

static void tree_pick_eval(const struct tree_pick_cfg *cfg, const struct tree_pick_state *s,
                           const struct tree_pick_in *in, struct tree_pick_out *out) {
  (void)s;
  uint32_t places = (uint32_t)cfg->W, first = (uint32_t)cfg->FIRST, levels = (uint32_t)cfg->LEVELS;
  uint64_t all = places >= 64 ? UINT64_MAX : (UINT64_C(1) << places) - 1, lost = 0;
  uint64_t group = in->ask & all; /* places in whose group of 2^level players someone asks */
  for (uint32_t level = 0; level < levels; level++) {
    uint64_t other = swapped(group, first + level);
    lost |= other & losers(in, level, places);
    group |= other;
  }
  out->pick = in->ask & ~lost;
  out->any = group & all;
}

static void tree_pick_tick(const struct tree_pick_cfg *cfg, struct tree_pick_state *s, const struct tree_pick_in *in,
                           const struct tree_pick_out *out) {
  (void)cfg, (void)s, (void)in, (void)out;
}

#include "tree_pick_model.inc"
