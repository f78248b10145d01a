/* SPDX-License-Identifier: Apache-2.0 */
/* Maximal-length linear feedback shift register. */
#include "blocks/prim/lfsr.h"

#include "block/block.h"
#include "lfsr_ports.h"

struct lfsr_state {
  uint64_t state;
};

static void lfsr_reset(const struct lfsr_cfg *cfg, struct lfsr_state *s) {
  s->state = lfsr_seed((uint32_t)cfg->W, (uint32_t)cfg->SEED);
}

static void lfsr_eval(const struct lfsr_cfg *cfg, const struct lfsr_state *s, const struct lfsr_in *in,
                      struct lfsr_out *out) {
  (void)cfg, (void)in;
  out->state = s->state;
  out->busy = 0;
}

static void lfsr_tick(const struct lfsr_cfg *cfg, struct lfsr_state *s, const struct lfsr_in *in,
                      const struct lfsr_out *out) {
  (void)out;
  if (in->step) s->state = lfsr_step((uint32_t)cfg->W, s->state);
}

#include "lfsr_model.inc"
