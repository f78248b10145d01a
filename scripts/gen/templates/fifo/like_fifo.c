/* SPDX-License-Identifier: Apache-2.0 */
/* FIFO of D words. */
#include "like_fifo_ports.h"

struct like_fifo_state {
  uint32_t level, write, read;
  uint64_t word[64];
};

static void like_fifo_reset(const struct like_fifo_cfg *cfg, struct like_fifo_state *s) {
  (void)cfg;
  s->level = s->write = s->read = 0;
}

static void like_fifo_eval(const struct like_fifo_cfg *cfg, const struct like_fifo_state *s, const struct like_fifo_in *in,
                           struct like_fifo_out *out) {
  (void)in;
  out->full = s->level == (uint32_t)cfg->D;
  out->valid = s->level != 0;
  out->oldest = s->word[s->read];
  out->busy = 0;
}

static void like_fifo_tick(const struct like_fifo_cfg *cfg, struct like_fifo_state *s, const struct like_fifo_in *in,
                           const struct like_fifo_out *out) {
  bool put = in->push && !out->full, take = in->pop && out->valid;
  if (put) {
    s->word[s->write] = in->data;
    s->write = (s->write + 1) % (uint32_t)cfg->D;
  }
  if (take) s->read = (s->read + 1) % (uint32_t)cfg->D;
  s->level += put;
  s->level -= take;
}

#include "like_fifo_model.inc"
