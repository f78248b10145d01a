/* SPDX-License-Identifier: Apache-2.0 */
/* Phases in which pushes, pops, both or none are frequent, so that the FIFO fills and empties. */
#include "block/block_drive.h"
#include "like_fifo_ports.h"

struct like_fifo_drive_state {
  uint32_t left, push, pop; /* cycles left in this phase; percent of its cycles */
};

static void like_fifo_drive(const struct like_fifo_cfg *cfg, struct rng *rng, struct like_fifo_drive_state *s,
                            const struct like_fifo_out *last, struct like_fifo_in *in) {
  static const uint8_t rates[] = {0, 30, 70, 100};
  (void)last;
  if (!s->left) {
    s->left = 1 + rng_below(rng, 4 * (uint32_t)cfg->D);
    s->push = rates[rng_below(rng, sizeof rates)];
    s->pop = rates[rng_below(rng, sizeof rates)];
  }
  s->left--;
  in->push = rng_percent(rng, s->push);
  in->pop = rng_percent(rng, s->pop);
  in->data = rng_u64(rng) >> (64 - cfg->W);
}

BLOCK_DRIVER(like_fifo);
