/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of teleport_ctrl: streams that flush, set rows of a few lines and launch; CTAs one after the other; queues that are free,
 * busy or stuck for a while; fields at the edges of what fits. A row has at most LINES_MOST lines for the blocks that come. */
#include "block/block_drive.h"
#include "teleport_ctrl_ports.h"

enum { LINES_MOST = 40 };

struct teleport_ctrl_drive_state {
  uint32_t left, style, sets, line_percent;
};

static void draw_row(const struct teleport_ctrl_cfg *cfg, struct rng *rng, struct teleport_ctrl_in *in) {
  uint32_t r = rng_u32(rng), threads = 1U << (r & 7);
  in->set_base = (r >> 3 & 0xffff) << 6;
  in->set_typesize = 1U << (r >> 19 & 3);
  for (int k = 0; k < 3; k++) in->set_minp[k] = 0;
  in->set_minp[0] = threads;
  in->set_minp[1] = (r >> 21 & 1) ? 1000 : 0;
  if (cfg->WIDE && (r >> 22 & 3) == 0) in->set_minp[1] = (uint32_t)-1024, in->set_base += UINT64_C(1) << 40;
  for (int k = 0; k < 3; k++) in->set_maxp[k] = in->set_minp[k];
  if ((r & 0x3000) == 0) in->set_maxp[0] += r >> 14 & 3;
  in->set_mino = (r >> 24 & 1) ? 0 : r >> 25 & 31;
  in->set_maxo = in->set_mino + rng_below(rng, LINES_MOST * 16 - 16);
  if ((r & 0x300) == 0) in->set_maxo = in->set_mino;         /* empty */
  if ((r & 0x7c00) == 0) in->set_typesize = 0;               /* never fits */
  if ((r & 0xf8000) == 0) in->set_base |= UINT64_C(1) << 33; /* fits wide rows only */
  if (!cfg->WIDE && (r & 0xf00000) == 0) {                   /* a sum above the limit: 65535 * 65535 */
    in->set_minp[2] = in->set_maxp[2] = 65535;
  }
}

static uint8_t draw_stream(const struct teleport_ctrl_cfg *cfg, struct rng *rng) {
  return (uint8_t)rng_below(rng, cfg->STREAMS < 3 ? (uint32_t)cfg->STREAMS : 3);
}

static void teleport_ctrl_drive(const struct teleport_ctrl_cfg *cfg, struct rng *rng,
                                struct teleport_ctrl_drive_state *s, const struct teleport_ctrl_out *last,
                                struct teleport_ctrl_in *in) {
  static const uint8_t rates[] = {100, 100, 70, 20, 0};
  uint32_t r = rng_u32(rng);
  if (s->left == 0) {
    s->left = 20 + rng_below(rng, 400);
    s->style = rng_below(rng, 8);
    s->sets = rates[rng_below(rng, sizeof rates)] / 5;
    s->line_percent = rates[rng_below(rng, sizeof rates)];
  }
  s->left--;
  draw_row(cfg, rng, in);
  in->set_valid = rng_percent(rng, s->sets);
  in->set_stream = draw_stream(cfg, rng);
  in->flush_valid = (r & 0xff) == 0;
  in->flush_stream = draw_stream(cfg, rng);
  bool seldom = (r >> 8 & 0xff) == 0;
  in->launch_valid = (!last->walking || seldom) && (r >> 16 & 0x1f) == 0;
  in->launch_stream = draw_stream(cfg, rng);
  in->end_valid = (!last->walking || seldom) && (r >> 21 & 0x3f) == 0;
  in->cta_valid = s->style != 0 && (r >> 27 & 3);
  in->cta_x = (uint16_t)rng_below(rng, 100), in->cta_y = (uint16_t)rng_below(rng, 8);
  in->cta_z = (uint16_t)((rng_u32(rng) & 7) ? 0 : 65535);
  in->line_ready = rng_percent(rng, s->line_percent);
  in->msg_ready = (r >> 29 & 3) != 0;
  if (s->style == 7) in->set_valid = in->flush_valid = in->launch_valid = in->end_valid = in->cta_valid = 0;
}

BLOCK_DRIVER(teleport_ctrl);
