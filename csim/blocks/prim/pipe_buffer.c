/* SPDX-License-Identifier: Apache-2.0 */
/* One-entry buffer between a producer and a consumer, with valid/ready handshakes. */
#include "block/block.h"
#include "pipe_buffer_ports.h"

struct pipe_buffer_state {
  uint64_t data;
  uint8_t full;
};

static void pipe_buffer_reset(const struct pipe_buffer_cfg *cfg, struct pipe_buffer_state *s) {
  (void)cfg;
  *s = (struct pipe_buffer_state){0};
}

static void pipe_buffer_eval(const struct pipe_buffer_cfg *cfg, const struct pipe_buffer_state *s,
                             const struct pipe_buffer_in *in, struct pipe_buffer_out *out) {
  (void)cfg;
  out->in_ready = !s->full || in->out_ready;
  out->out_valid = s->full;
  out->out_data = s->full ? s->data : 0;
  out->busy = s->full;
}

static void pipe_buffer_tick(const struct pipe_buffer_cfg *cfg, struct pipe_buffer_state *s,
                             const struct pipe_buffer_in *in, const struct pipe_buffer_out *out) {
  (void)cfg;
  bool take = in->in_valid && out->in_ready;
  s->full = (s->full && !in->out_ready) || take;
  if (take) s->data = in->in_data;
}

#include "pipe_buffer_model.inc"
