/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of swap_agen: phases in which commands are rare or wait in every cycle, of one kind or of all; lines that are taken at once, late or
 * not at all; bases that stay, or are written beside commands; owners and sets at both ends, and some that do not exist. */
#include "block/block_drive.h"
#include "swap_agen_ports.h"

struct swap_agen_drive_state {
  uint32_t left;                   /* cycles of this phase */
  uint32_t commands, ready, bases; /* percent of them */
  uint32_t kind;                   /* of most commands; 4: any */
};

static uint32_t draw_index(struct rng *rng, uint32_t n) {
  uint32_t r = rng_below(rng, 8);
  return r == 0 ? 0 : r == 1 ? n - 1 : rng_below(rng, n + ((n & (n - 1)) != 0));
}

static void swap_agen_drive(const struct swap_agen_cfg *cfg, struct rng *rng, struct swap_agen_drive_state *s,
                            const struct swap_agen_out *last, struct swap_agen_in *in) {
  static const uint8_t rates[] = {0, 10, 50, 100};
  uint64_t top = UINT64_MAX >> (64 - cfg->PAW + 7);
  uint32_t owners = (uint32_t)(cfg->LW > cfg->LB ? cfg->LW : cfg->LB);
  uint32_t sets = (uint32_t)(cfg->RSETS > cfg->SSETS ? cfg->RSETS : cfg->SSETS);
  (void)last;
  if (s->left == 0) {
    s->left = 1 + rng_below(rng, 300);
    s->commands = rates[rng_below(rng, sizeof rates)];
    s->ready = rates[rng_below(rng, sizeof rates)];
    s->bases = rates[rng_below(rng, sizeof rates)];
    s->kind = rng_below(rng, 5);
  }
  s->left--;
  in->base_en = rng_percent(rng, s->bases);
  in->base_kind = (uint8_t)rng_below(rng, 4);
  in->base = rng_below(rng, 8) ? rng_u64(rng) & top : top - rng_below(rng, 64);
  in->cmd_valid = rng_percent(rng, s->commands);
  in->cmd_kind = (uint8_t)(s->kind == 4 || rng_below(rng, 16) == 0 ? rng_below(rng, 4) : s->kind);
  in->cmd_spill = rng_below(rng, 2) != 0;
  in->cmd_owner = (uint8_t)draw_index(rng, owners);
  in->cmd_set = (uint8_t)draw_index(rng, sets);
  in->line_ready = rng_percent(rng, s->ready);
}

BLOCK_DRIVER(swap_agen);
