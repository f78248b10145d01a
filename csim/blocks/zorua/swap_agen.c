/* SPDX-License-Identifier: Apache-2.0 */
/* Where a set of an SM's resource lies in the swap space, line by line (Vijaykumar 2019, 4.4.5; assumption: layout, ports and cycle
 * behaviour). The header of rtl/zorua/swap_agen.v states the contract of the ports. */
#include "block/block.h"
#include "swap_agen_ports.h"

enum { REGISTERS, SCRATCH, STATE, KINDS, REGISTER_LINES = 4, SCRATCH_LINES = 8, STATE_LINES = 1 };

struct swap_agen_state {
  uint64_t base[KINDS]; /* lines */
  uint64_t line;
  uint8_t on, left, spill; /* a line is offered; lines of its set that are left; it is written */
};

static void swap_agen_reset(const struct swap_agen_cfg *cfg, struct swap_agen_state *s) {
  (void)cfg;
  for (int kind = 0; kind < KINDS; kind++) s->base[kind] = 0;
  s->on = 0;
}

static void swap_agen_eval(const struct swap_agen_cfg *cfg, const struct swap_agen_state *s,
                           const struct swap_agen_in *in, struct swap_agen_out *out) {
  (void)cfg, (void)in;
  out->cmd_ready = !s->on;
  out->line_valid = out->busy = s->on;
  out->line = s->on ? s->line : 0;
  out->spill = s->on ? s->spill : 0;
  out->left = s->on ? s->left : 0;
}

static void take(const struct swap_agen_cfg *cfg, struct swap_agen_state *s, const struct swap_agen_in *in) {
  uint32_t owner = in->cmd_owner, set = in->cmd_set;
  uint32_t kind = in->cmd_kind == REGISTERS || in->cmd_kind == SCRATCH ? in->cmd_kind : STATE;
  s->on = 1;
  s->spill = in->cmd_spill;
  s->left = kind == REGISTERS ? REGISTER_LINES : kind == SCRATCH ? SCRATCH_LINES : STATE_LINES;
  uint32_t index = kind == REGISTERS ? owner * (uint32_t)cfg->RSETS + set
                   : kind == SCRATCH ? owner * (uint32_t)cfg->SSETS + set
                                     : owner;
  s->line = (s->base[kind] + index * s->left) & UINT64_MAX >> (64 - cfg->PAW + 7);
}

static void swap_agen_tick(const struct swap_agen_cfg *cfg, struct swap_agen_state *s, const struct swap_agen_in *in,
                           const struct swap_agen_out *out) {
  if (!out->line_valid) {
    if (in->cmd_valid) take(cfg, s, in);
  } else if (in->line_ready) {
    s->on = s->left != 1;
    s->left = (s->left - 1) & 15;
    s->line = (s->line + 1) & UINT64_MAX >> (64 - cfg->PAW + 7);
  }
  if (in->base_en && in->base_kind < KINDS) s->base[in->base_kind] = in->base;
}

#include "swap_agen_model.inc"
