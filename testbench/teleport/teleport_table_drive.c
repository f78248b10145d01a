/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of teleport_table: a few streams that flush, set rows until the table is full, and launch; fields at the edges of what
 * fits; CTAs walked by a range unit that is quick, slow or stuck for a while; sets and flushes during a launch; now and then
 * launches and ends while a CTA is walked, reports without a row. */
#include "block/block_drive.h"
#include "teleport_table_ports.h"

struct teleport_table_drive_state {
  uint32_t left, style;
  uint32_t sets, streams; /* percent of cycles; streams in use */
  uint32_t row_percent, line_percent;
  uint8_t unit; /* rows that the range unit has */
};

static uint32_t field(const struct teleport_table_cfg *cfg, struct rng *rng) {
  uint32_t r = rng_u32(rng);
  if (cfg->WIDE || (r & 0x7f) == 0) return (r & 0x80) ? 0 : rng_u32(rng);
  return (r & 0x300) ? r >> 16 : 0;
}

static void draw_row(const struct teleport_table_cfg *cfg, struct rng *rng, struct teleport_table_in *in) {
  static const uint32_t sizes[] = {1, 2, 4, 8, 12, 255};
  uint32_t r = rng_u32(rng);
  in->set_base = rng_u64(rng) >> (cfg->WIDE ? 0 : 32);
  if ((r & 0x3f) == 0) in->set_base = rng_u64(rng) >> (r >> 6 & 31);
  in->set_typesize = sizes[(r >> 11 & 0xff) % 6];
  if ((r >> 19 & 0x1f) == 0) in->set_typesize = (r >> 24 & 1) ? 0 : rng_u32(rng) >> (r >> 25 & 31);
  for (int k = 0; k < 3; k++) in->set_minp[k] = field(cfg, rng), in->set_maxp[k] = field(cfg, rng);
  in->set_mino = field(cfg, rng), in->set_maxo = field(cfg, rng);
}

static uint8_t draw_stream(const struct teleport_table_cfg *cfg, struct rng *rng, uint32_t streams) {
  uint32_t n = (uint32_t)cfg->STREAMS, stream = rng_below(rng, streams < n ? streams : n);
  if ((n & (n - 1)) && !rng_below(rng, 64)) stream = n; /* there is none of this number */
  return (uint8_t)stream;
}

static void draw_phase(struct rng *rng, struct teleport_table_drive_state *s) {
  static const uint8_t rates[] = {0, 3, 20, 60, 100};
  s->left = 20 + rng_below(rng, 300);
  s->style = rng_below(rng, 8);
  s->sets = rates[rng_below(rng, 5)];
  s->streams = 1 + rng_below(rng, rng_below(rng, 2) ? 3 : 16);
  s->row_percent = rates[1 + rng_below(rng, 4)];
  s->line_percent = rates[rng_below(rng, 5)];
}

static void teleport_table_drive(const struct teleport_table_cfg *cfg, struct rng *rng,
                                 struct teleport_table_drive_state *s, const struct teleport_table_out *last,
                                 struct teleport_table_in *in) {
  uint32_t r = rng_u32(rng);
  if (s->left == 0) draw_phase(rng, s);
  s->left--;
  s->unit -= in->row_end && s->unit;
  s->unit += last->row_valid && in->row_ready;
  if (s->sets) draw_row(cfg, rng, in);
  in->set_valid = rng_percent(rng, s->sets);
  in->set_stream = draw_stream(cfg, rng, s->streams);
  in->flush_valid = (r & 0x3f) == 0;
  in->flush_stream = draw_stream(cfg, rng, s->streams);
  bool seldom = (r >> 6 & 0xff) == 0;
  in->launch_valid = (!last->walking || seldom) && (r >> 14 & 0xf) == 0;
  in->launch_stream = draw_stream(cfg, rng, s->streams);
  in->end_valid = (!last->walking || seldom) && (r >> 18 & 0x1f) == 0;
  in->cta_valid = s->style != 0 && (r >> 23 & 3);
  in->cta_x = (uint16_t)rng_u32(rng), in->cta_y = (uint16_t)(r >> 3 & 7), in->cta_z = (uint16_t)(r >> 9 & 1);
  in->line_taken = s->unit && rng_percent(rng, s->line_percent);
  in->row_end = s->unit && rng_percent(rng, s->row_percent);
  uint32_t most = s->style & 1 ? 3 : 1;
  in->row_ready = (s->unit < most || in->row_end) && rng_percent(rng, s->row_percent);
  if (seldom && (r >> 30) == 0) in->row_end = in->line_taken = 1;
  in->msg_ready = (r >> 25 & 3) != 0;
  if (s->style == 7) in->set_valid = in->flush_valid = in->launch_valid = in->end_valid = in->cta_valid = 0;
}

BLOCK_DRIVER(teleport_table);
