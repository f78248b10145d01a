/* SPDX-License-Identifier: Apache-2.0 */
/* The range of shared memory that a warp's access touches (Jamshidi 2014, figure 7; assumption: a warp's lanes are
 * checked together). */
#include "block/block.h"
#include "d2ma_lane_range_ports.h"

struct d2ma_lane_range_state {
  uint16_t lo, top; /* lowest and highest lane address */
  uint8_t valid, cta, warp, last;
};

static void d2ma_lane_range_reset(const struct d2ma_lane_range_cfg *cfg, struct d2ma_lane_range_state *s) {
  (void)cfg;
  *s = (struct d2ma_lane_range_state){0};
}

static void d2ma_lane_range_eval(const struct d2ma_lane_range_cfg *cfg, const struct d2ma_lane_range_state *s,
                                 const struct d2ma_lane_range_in *in, struct d2ma_lane_range_out *out) {
  uint32_t hi = (uint32_t)s->top + s->last;
  (void)cfg, (void)in;
  __builtin_memset(out, 0, sizeof *out);
  if (!s->valid) return;
  out->ld_valid = out->busy = 1;
  out->ld_cta = s->cta;
  out->ld_warp = s->warp;
  out->ld_lo = s->lo;
  out->ld_hi = (uint16_t)(hi < UINT16_MAX ? hi : UINT16_MAX);
}

static void d2ma_lane_range_tick(const struct d2ma_lane_range_cfg *cfg, struct d2ma_lane_range_state *s,
                                 const struct d2ma_lane_range_in *in, const struct d2ma_lane_range_out *out) {
  uint16_t lane[32], lo = UINT16_MAX, top = 0;
  (void)out;
  s->valid = in->at_valid && in->at_mask;
  if (!s->valid) return;
  __builtin_memcpy(lane, in->at_addr, sizeof lane);
  for (uint32_t n = 0; n < (uint32_t)cfg->LANES; n++) {
    uint16_t off = (uint16_t)((in->at_mask >> n & 1) - 1); /* ones: the lane is inactive */
    uint16_t low = lane[n] | off, high = lane[n] & (uint16_t)~off;
    lo = low < lo ? low : lo;
    top = high > top ? high : top;
  }
  s->lo = lo;
  s->top = top;
  s->last = in->at_last;
  s->cta = in->at_cta;
  s->warp = in->at_warp;
}

#include "d2ma_lane_range_model.inc"
