/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of set_mover: commands of any kind, allocators with and without free sets, victims among those that may go, lines that take their
 * time. Some phases have no rules: any set at any time. */
#include "block/block_drive.h"
#include "set_mover_ports.h"

struct set_mover_drive_state {
  uint32_t left;                                 /* cycles of this phase */
  uint32_t there, offers, victims, lines, locks; /* percent */
  bool wild;
  uint32_t moving; /* cycles until the lines are gone */
};

static void begin_phase(struct rng *rng, struct set_mover_drive_state *s) {
  static const uint8_t rates[] = {0, 10, 50, 90, 100};
  s->left = 1 + rng_below(rng, 600);
  s->wild = rng_below(rng, 5) == 0;
  s->there = rates[rng_below(rng, sizeof rates)];
  s->offers = rates[rng_below(rng, sizeof rates)];
  s->victims = rates[1 + rng_below(rng, sizeof rates - 1)];
  s->lines = rates[rng_below(rng, 4)];
  s->locks = rng_below(rng, 3) * 30;
}

static void drive_sets(struct rng *rng, const struct set_mover_cfg *cfg, const struct set_mover_drive_state *s,
                       struct set_mover_in *in) {
  uint32_t regs = (uint32_t)cfg->REGS, scratch = (uint32_t)cfg->SCRATCH;
  for (uint32_t n = 0; n < regs; n++) {
    uint32_t bit = 1U << n % 32;
    in->lock_regs[n / 32] = (in->lock_regs[n / 32] & ~bit) | (rng_percent(rng, s->locks) ? bit : 0);
  }
  for (uint32_t n = 0; n < scratch; n++) {
    uint32_t bit = 1U << n % 32;
    in->lock_scratch[n / 32] = (in->lock_scratch[n / 32] & ~bit) | (rng_percent(rng, s->locks) ? bit : 0);
  }
  for (uint32_t w = 0; w < (uint32_t)cfg->WARPS; w++) {
    uint32_t bit = 1U << w % 32;
    in->sched[w / 32] = (in->sched[w / 32] & ~bit) | (rng_below(rng, 2) ? bit : 0);
  }
}

static void set_mover_drive(const struct set_mover_cfg *cfg, struct rng *rng, struct set_mover_drive_state *s,
                            const struct set_mover_out *last, struct set_mover_in *in) {
  if (s->left == 0) begin_phase(rng, s);
  s->left--;
  uint32_t kind = rng_below(rng, s->wild ? 4 : 3), sets = kind == 0   ? (uint32_t)cfg->RSETS
                                                          : kind == 1 ? (uint32_t)cfg->SSETS
                                                                      : 1;
  uint32_t owners = kind == 1 ? (uint32_t)cfg->BLOCKS : (uint32_t)cfg->WARPS;
  in->cmd_valid = rng_below(rng, 4) != 0;
  in->cmd_kind = (uint8_t)kind, in->cmd_owner = (uint8_t)rng_below(rng, s->wild ? 128 : owners);
  in->cmd_op = (uint8_t)rng_below(rng, kind >= 2 || s->wild ? 4 : 3);
  in->cmd_from = (uint8_t)rng_below(rng, sets),
  in->cmd_to = (uint8_t)(in->cmd_from + rng_below(rng, sets - in->cmd_from + 1));
  if (s->wild && rng_below(rng, 8) == 0)
    in->cmd_from = (uint8_t)rng_below(rng, 256), in->cmd_to = (uint8_t)(in->cmd_from + rng_below(rng, 6));
  if (last->come && rng_below(rng, 4) == 0) { /* the set on its way is released */
    in->cmd_op = 1, in->cmd_kind = last->come_kind, in->cmd_owner = last->come_owner;
    in->cmd_from = last->come_set, in->cmd_to = (uint8_t)(in->cmd_from + 1);
  }
  uint32_t all = last->at_kind == 0   ? (uint32_t)cfg->REGS
                 : last->at_kind == 1 ? (uint32_t)cfg->SCRATCH
                                      : (uint32_t)cfg->WARPS;
  if (s->wild || all > 1U << cfg->PHYS_W) all = 1U << cfg->PHYS_W;
  in->there = rng_percent(rng, s->there), in->phys = (uint16_t)rng_below(rng, all);
  in->offer = rng_percent(rng, s->offers), in->offer_set = (uint16_t)rng_below(rng, all);
  in->victim = rng_percent(rng, s->victims), in->victim_set = (uint16_t)rng_below(rng, all);
  in->move_ready = rng_below(rng, 8) != 0;
  in->lines = rng_percent(rng, s->lines), in->mem_busy = rng_percent(rng, s->lines);
  if (rng_below(rng, 4) == 0) drive_sets(rng, cfg, s, in);
}

BLOCK_DRIVER(set_mover);
