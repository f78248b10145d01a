/* SPDX-License-Identifier: Apache-2.0 */
/* The FIFO of ring_fifo.sv. An entry is kind, tag and data, from the highest bits down. */
#include "ring_ports.h"

enum { DEPTH_MAX = 16, DROPPED = 2 };

struct ring_state {
  uint32_t level, write_at, read_at;
  uint16_t ring[DEPTH_MAX];
};

static void ring_reset(const struct ring_cfg *cfg, struct ring_state *s) {
  (void)cfg;
  s->level = s->write_at = s->read_at = 0;
}

static void ring_eval(const struct ring_cfg *cfg, const struct ring_state *s, const struct ring_in *in,
                      struct ring_out *out) {
  uint16_t head = s->ring[s->read_at];
  (void)in;
  out->full = s->level == (uint32_t)cfg->DEPTH;
  out->empty = s->level == 0;
  out->head_kind = head >> 14;
  out->head_tag = head >> 8 & 63;
  out->head_data = head & 255;
  out->head_parity = __builtin_parity(head);
  out->used = (uint8_t)s->level;
  out->free = (uint8_t)((uint32_t)cfg->DEPTH - s->level);
}

static void ring_tick(const struct ring_cfg *cfg, struct ring_state *s, const struct ring_in *in,
                      const struct ring_out *out) {
  uint32_t depth = (uint32_t)cfg->DEPTH;
  bool take = in->push && !out->full && in->kind != DROPPED, give = in->pop && !out->empty;
  if (take) {
    s->ring[s->write_at] = (uint16_t)(in->kind << 14 | in->tag << 8 | in->data);
    s->write_at = (s->write_at + 1) % depth;
  }
  if (give) s->read_at = (s->read_at + 1) % depth;
  s->level += take;
  s->level -= give;
}

#include "ring_model.inc"
