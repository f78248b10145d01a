/* SPDX-License-Identifier: Apache-2.0 */
/* Phases in which pushes, pops, both or none are frequent, so that the ring fills and empties. */
#include "block/block_drive.h"
#include "ring_ports.h"

struct ring_drive_state {
  uint32_t left, push, pop;
};

static void ring_drive(const struct ring_cfg *cfg, struct rng *rng, struct ring_drive_state *s,
                       const struct ring_out *last, struct ring_in *in) {
  static const uint8_t rates[] = {0, 30, 70, 100};
  (void)last;
  if (!s->left) {
    s->left = 1 + rng_below(rng, 4 * (uint32_t)cfg->DEPTH);
    s->push = rates[rng_below(rng, sizeof rates)];
    s->pop = rates[rng_below(rng, sizeof rates)];
  }
  s->left--;
  in->push = rng_percent(rng, s->push);
  in->pop = rng_percent(rng, s->pop);
  in->kind = (uint8_t)rng_below(rng, 3);
  in->tag = (uint8_t)rng_below(rng, 64);
  in->data = (uint8_t)rng_below(rng, 256);
}

BLOCK_DRIVER(ring);
