/* SPDX-License-Identifier: Apache-2.0 */
/* The ports of the controllers (block d2ma_ctrl_array) and of the footprints (d2ma_footprint), which read their entries.
 * Pending inputs are kept until the controllers' next cycle. */
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
  return d->ctrl_on || d->ctrl_awake || d->foot_awake || d->clr || d->exits || d->force != D2MA_NONE ||
         d->reply != D2MA_NONE || d->query[D2MA_CHECK_CYCLES].valid || !d->ctrl->skip;
}

/* The footprints wait for the operation of this cycle, if any, and ask for an entry. */
static __attribute__((noinline)) void begin_footprints(struct d2ma *d, struct d2ma_ctrl_array_in *ctrl) {
  struct d2ma_footprint_in *in = d->foot->in;
  const struct d2ma_footprint_out *out = d->foot->out;
  in->wr_en = ctrl->wr_en;
  in->wr_cta = ctrl->wr_cta;
  in->wr_buf = ctrl->wr_buf;
  in->wr_go = in->rd_ok = 0;
  block_eval(d->foot);
  d->foot_on = true;
  ctrl->fp_en = out->rd_en;
  ctrl->fp_cta = out->rd_cta;
  ctrl->fp_buf = out->rd_buf;
  ctrl->wk_en = out->ck_known;
  if (out->ck_known) ctrl->wk_cta = out->ck_cta;
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
  const struct d2ma_query *asked = &d->query[D2MA_CHECK_CYCLES];
  in->fl_en = d->reply != D2MA_NONE;
  in->wt_en = asked->valid;
  if (asked->valid) {
    in->wt_cta = (uint8_t)asked->cta;
    in->wt_warp = (uint8_t)asked->warp;
  }
  if (in->wr_en || d->foot_awake || !d->foot->skip) begin_footprints(d, in);
  block_eval(d->ctrl);
  d->ctrl_on = true;
  d->fresh = 0;
}

/* Ends the footprints' cycle: the operation that moves data, and the entry that was read. */
static __attribute__((noinline)) void end_footprints(struct d2ma *d, const struct d2ma_ctrl_array_in *told,
                                                     const struct d2ma_ctrl_array_out *ctrl) {
  struct d2ma_footprint_in *in = d->foot->in;
  const struct d2ma_footprint_out *out = d->foot->out;
  in->wr_go = (ctrl->go_live || ctrl->go_arm) && told->wr_go && ctrl->rd_some;
  if (in->wr_go) in->wr_sbase = (uint16_t)ctrl->rd_entry[2];
  in->rd_ok = ctrl->fp_ok;
  if (ctrl->fp_ok) {
    struct d2ma_entry e;
    d2ma_unpack(&e, ctrl->ag_entry);
    in->sbase = (uint16_t)e.sbase;
    in->count = e.count;
    in->esz = e.esz;
    in->dim2 = e.dim2;
    in->mode = e.mode;
    in->hrows = e.hrows;
    in->hcols = e.hcols;
  }
  block_tick(d->foot);
  d->foot_on = false;
  d->foot_awake = in->wr_en || out->busy;
}

void d2ma_ctrl_end(struct d2ma *d) {
  struct d2ma_ctrl_array_in *in = d->ctrl->in;
  const struct d2ma_ctrl_array_out *out = d->ctrl->out;
  block_tick(d->ctrl);
  if (d->foot_on) end_footprints(d, in, out);
  d->ctrl_moves = out->busy || in->clr_cta_en || in->exit_en || in->force_en || in->fl_en || out->wr_act == ACT_WRITE ||
                  out->wr_act == ACT_ARRIVE;
  d->ctrl_awake = d->ctrl_moves || in->wr_en || in->wt_en || in->fp_en || in->wk_en;
  d->ctrl_on = false;
  in->wr_en = in->clr_cta_en = in->exit_en = in->force_en = in->fl_en = in->wt_en = in->fp_en = in->wk_en = 0;
  in->wr_go = in->wt_hit = in->ag_taken = in->ag_done = 0;
}
