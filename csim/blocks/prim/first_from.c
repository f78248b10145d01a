/* SPDX-License-Identifier: Apache-2.0 */
/* Picks the first request at or after a starting position, wrapping round. */
#include "block/block.h"
#include "first_from_ports.h"

struct first_from_state {
  uint8_t none; /* combinational */
};

static void first_from_reset(const struct first_from_cfg *cfg, struct first_from_state *s) {
  (void)cfg;
  s->none = 0;
}

static void first_from_eval(const struct first_from_cfg *cfg, const struct first_from_state *s,
                            const struct first_from_in *in, struct first_from_out *out) {
  (void)cfg, (void)s;
  uint32_t at_or_after = in->req & UINT32_MAX << in->from, candidates = at_or_after ? at_or_after : in->req;
  out->pick = candidates & (0U - candidates);
}

static void first_from_tick(const struct first_from_cfg *cfg, struct first_from_state *s,
                            const struct first_from_in *in, const struct first_from_out *out) {
  (void)cfg, (void)s, (void)in, (void)out;
}

#include "first_from_model.inc"
