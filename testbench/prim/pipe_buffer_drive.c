/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of pipe_buffer: a fast or slow producer against a fast or slow consumer, in phases. */
#include "block/block_drive.h"
#include "pipe_buffer_ports.h"

struct pipe_buffer_drive_state {
  uint32_t left, produce, consume; /* cycles left in this phase, percentages */
};

static void pipe_buffer_drive(const struct pipe_buffer_cfg *cfg, struct rng *rng, struct pipe_buffer_drive_state *s,
                              const struct pipe_buffer_out *last, struct pipe_buffer_in *in) {
  static const uint8_t rates[] = {0, 20, 50, 80, 100};
  (void)last;
  if (s->left == 0) {
    s->left = 1 + rng_below(rng, 40);
    s->produce = rates[rng_below(rng, sizeof rates)];
    s->consume = rates[rng_below(rng, sizeof rates)];
  }
  s->left--;
  in->in_valid = rng_percent(rng, s->produce);
  in->in_data = rng_u64(rng) & UINT64_MAX >> (64 - cfg->W);
  in->out_ready = rng_percent(rng, s->consume);
}

BLOCK_DRIVER(pipe_buffer);
