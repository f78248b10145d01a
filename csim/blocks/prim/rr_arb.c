/* SPDX-License-Identifier: Apache-2.0 */
/* Round-robin arbiter over N clients (Dally & Towles, section 18.5). The priority moves past the
 * granted client, and only when the grant is accepted. `accept` is sampled at the clock edge: eval must
 * not read it. */
#include "block/block.h"
#include "rr_arb_ports.h"

struct rr_arb_state {
  uint32_t ptr; /* client with the highest priority, 0..N-1 */
};

static void rr_arb_reset(const struct rr_arb_cfg *cfg, struct rr_arb_state *s) {
  (void)cfg;
  s->ptr = 0;
}

static void rr_arb_eval(const struct rr_arb_cfg *cfg, const struct rr_arb_state *s, const struct rr_arb_in *in,
                        struct rr_arb_out *out) {
  (void)cfg;
  uint32_t req = in->req;
  uint32_t at_or_after = req & (UINT32_MAX << s->ptr);
  uint32_t pick = at_or_after ? at_or_after : req;
  out->grant = pick & (0U - pick);
  out->busy = 0;
}

static void rr_arb_tick(const struct rr_arb_cfg *cfg, struct rr_arb_state *s, const struct rr_arb_in *in,
                        const struct rr_arb_out *out) {
  if (!in->accept || !out->grant) return;
  uint32_t after = (uint32_t)__builtin_ctz(out->grant) + 1;
  s->ptr = after == (uint32_t)cfg->N ? 0 : after;
}

#include "rr_arb_model.inc"
