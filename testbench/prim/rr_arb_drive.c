/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of rr_arb: phases of a request density and an acceptance rate, clients that hold their
 * request until it is taken, and gaps without any request. */
#include "block/block_drive.h"
#include "rr_arb_ports.h"

enum { STYLE_SPARSE, STYLE_HALF, STYLE_DENSE, STYLE_ALL, STYLE_HOLD, STYLE_GAP, STYLES };

struct rr_arb_drive_state {
  uint32_t left; /* cycles left in this phase */
  uint32_t style;
  uint32_t accept; /* percent of the cycles in which the grant is taken */
  uint32_t held;   /* requests that wait for their grant (STYLE_HOLD) */
  uint32_t taken;  /* the grant of the cycle before was taken */
};

static uint32_t requests(struct rr_arb_drive_state *s, const struct rr_arb_out *last, uint64_t r) {
  uint32_t a = (uint32_t)r, b = (uint32_t)(r >> 32);
  switch (s->style) {
    case STYLE_SPARSE: return a & b & (a >> 7 | a << 25);
    case STYLE_HALF: return a;
    case STYLE_DENSE: return a | b;
    case STYLE_ALL: return UINT32_MAX;
    case STYLE_HOLD:
      if (s->taken) s->held &= ~last->grant;
      s->held |= a & b;
      return s->held;
    default: return 0;
  }
}

static void rr_arb_drive(const struct rr_arb_cfg *cfg, struct rng *rng, struct rr_arb_drive_state *s,
                         const struct rr_arb_out *last, struct rr_arb_in *in) {
  static const uint8_t rates[] = {0, 20, 50, 80, 100, 100};
  if (s->left == 0) {
    s->left = 1 + rng_below(rng, 40);
    s->style = rng_below(rng, STYLES);
    s->accept = rates[rng_below(rng, sizeof rates)];
  }
  s->left--;
  in->req = requests(s, last, rng_u64(rng)) & (UINT32_MAX >> (32 - cfg->N));
  s->taken = rng_percent(rng, s->accept);
  in->accept = (uint8_t)s->taken;
}

BLOCK_DRIVER(rr_arb);
