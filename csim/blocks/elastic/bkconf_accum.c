/* SPDX-License-Identifier: Apache-2.0 */
/* Sum of the bank conflicts of an instruction's subwarps (Gou & Gaydadjiev 2011, equations 4 and 5): each subwarp adds
 * ceil(cd / P) cycles less its issue slot, which equals (cd - 1) / P rounded down. */
#include "bkconf_accum_ports.h"
#include "block/block.h"

struct bkconf_accum_state {
  uint16_t up_pc;
  uint8_t acc, part; /* the sum so far; part: subwarps of the instruction have been added */
  uint8_t up_valid, up_degree;
};

static void bkconf_accum_reset(const struct bkconf_accum_cfg *cfg, struct bkconf_accum_state *s) {
  (void)cfg;
  *s = (struct bkconf_accum_state){0};
}

static void bkconf_accum_eval(const struct bkconf_accum_cfg *cfg, const struct bkconf_accum_state *s,
                              const struct bkconf_accum_in *in, struct bkconf_accum_out *out) {
  (void)cfg, (void)in;
  out->up_valid = out->busy = s->up_valid;
  out->up_pc = s->up_pc;
  out->up_degree = s->up_degree;
}

static void bkconf_accum_tick(const struct bkconf_accum_cfg *cfg, struct bkconf_accum_state *s,
                              const struct bkconf_accum_in *in, const struct bkconf_accum_out *out) {
  (void)out;
  s->up_valid = 0;
  if (in->sub_valid) {
    uint32_t limit = (1U << block_clog2((uint32_t)cfg->W)) - 1;
    uint32_t beyond = in->sub_cd ? (in->sub_cd - 1U) / (uint32_t)cfg->P : 0, sum = (s->part ? s->acc : 0) + beyond;
    s->acc = (uint8_t)(sum < limit ? sum : limit);
    s->part = !in->sub_last;
    if (in->sub_last && !in->flush) {
      s->up_valid = 1;
      s->up_pc = in->sub_pc;
      s->up_degree = s->acc;
    }
  }
  if (in->flush) s->part = 0;
}

#include "bkconf_accum_model.inc"
