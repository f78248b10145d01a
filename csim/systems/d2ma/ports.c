/* SPDX-License-Identifier: Apache-2.0 */
/* The ports of the controllers (block d2ma_ctrl_array). Pending inputs are kept until the controllers' next cycle. */
#include "systems/d2ma/d2ma_internal.h"

#include <string.h>

/* Layout of an entry: rtl/d2ma/d2ma_ctrl_array.v. */
void d2ma_unpack(struct d2ma_entry *e, const uint32_t *bits) {
  e->gbase = bits[0] | (uint64_t)bits[1] << 32;
  e->sbase = bits[2] & 0xffff;
  e->count = (uint16_t)(bits[2] >> 16);
  e->stride = (uint16_t)bits[3];
  e->esz = bits[3] >> 16 & 3;
  e->dim2 = bits[3] >> 18 & 1;
  e->mode = bits[3] >> 19 & 3;
  e->hrows = (uint16_t)(bits[3] >> 21 | bits[4] << 11);
  e->hcols = (uint16_t)(bits[4] >> 5);
  e->region = (uint8_t)(bits[4] >> 21);
  e->hconst = (uint16_t)(bits[4] >> 29 | bits[5] << 3);
}

void d2ma_pack(const struct d2ma_entry *e, uint32_t *bits) {
  bits[0] = (uint32_t)e->gbase;
  bits[1] = (uint32_t)(e->gbase >> 32);
  bits[2] = (e->sbase & 0xffff) | (uint32_t)e->count << 16;
  bits[3] =
    e->stride | (uint32_t)e->esz << 16 | (uint32_t)e->dim2 << 18 | (uint32_t)e->mode << 19 | (uint32_t)e->hrows << 21;
  bits[4] = (uint32_t)e->hrows >> 11 | (uint32_t)e->hcols << 5 | (uint32_t)e->region << 21 | (uint32_t)e->hconst << 29;
  bits[5] = (uint32_t)e->hconst >> 3;
}

uint32_t d2ma_buffers_of(const struct d2ma *d, uint64_t mask, uint32_t cta) {
  return (uint32_t)(mask >> cta * d->buffers) & ((1u << d->buffers) - 1);
}

bool d2ma_ctrl_due(const struct d2ma *d) {
  return d->ctrl_on || d->ctrl_awake || d->clr || d->exits || d->force != D2MA_NONE || d->filled != D2MA_NONE ||
         d->asked.valid || !d->ctrl->skip;
}

void d2ma_ctrl_begin(struct d2ma *d, uint32_t cta) {
  struct d2ma_ctrl_array_in *in = d->ctrl->in;
  if (d->clr) {
    if (!(d->clr >> cta & 1)) cta = (uint32_t)__builtin_ctz(d->clr);
    in->clr_cta_en = 1;
    in->clr_cta = (uint8_t)cta;
    in->clr_warps = d->cta[cta].warps;
    d->clr &= ~(1u << cta);
  }
  if (d->exits) {
    uint32_t warp = (uint32_t)__builtin_ctzll(d->exits);
    in->exit_en = 1;
    in->exit_cta = d->cta_of_warp[warp];
    in->exit_warp = (uint8_t)warp;
    d->exits &= d->exits - 1;
  }
  if (d->force != D2MA_NONE && !in->wr_en) {
    in->force_en = 1;
    in->force_cta = (uint8_t)(d->force / D2MA_BUFFERS);
    in->force_buf = (uint8_t)(d->force % D2MA_BUFFERS);
    d->force = D2MA_NONE;
  }
  if (d->filled != D2MA_NONE) {
    in->fl_en = 1;
    in->fl_cta = (uint8_t)(d->filled / D2MA_BUFFERS);
    in->fl_buf = (uint8_t)(d->filled % D2MA_BUFFERS);
    in->fl_long = d->fill_long;
    d->filled = D2MA_NONE;
  }
  if (d->asked.valid) {
    in->wt_en = 1;
    in->wt_cta = (uint8_t)d->asked.cta;
    in->wt_warp = (uint8_t)d->asked.warp;
  }
  block_eval(d->ctrl);
  d->ctrl_on = true;
  d->fresh = 0;
}

void d2ma_ctrl_end(struct d2ma *d) {
  struct d2ma_ctrl_array_in *in = d->ctrl->in;
  const struct d2ma_ctrl_array_out *out = d->ctrl->out;
  block_tick(d->ctrl);
  d->ctrl_moves = in->clr_cta_en || in->exit_en || in->force_en || in->fl_en || out->busy || out->wr_act == ACT_WRITE ||
                  out->wr_act == ACT_ARRIVE;
  d->ctrl_awake = d->ctrl_moves || in->wr_en || in->wt_en;
  d->go = false;
  d->ctrl_on = false;
  in->wr_en = in->clr_cta_en = in->exit_en = in->force_en = in->fl_en = in->wt_en = 0;
  in->wr_go = in->wt_hit = in->ag_taken = in->ag_done = 0;
}
