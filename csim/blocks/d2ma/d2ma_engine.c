/* SPDX-License-Identifier: Apache-2.0 */
/* The D2MA engine of an SM (Jamshidi 2014, section 4): connects the models of its parts as rtl/d2ma/d2ma_engine.v
 * connects their Verilog. It has no further state. */
#include "base/err.h"
#include "block/block.h"
#include "d2ma_engine_ports.h"

/* States of the parts, in the layout of their models. */
struct d2ma_engine_state {
  uint64_t ctrl[512], foot[16], lanes[4], raw[192], agen[48], req[288];
};

/* Parameters, inputs and outputs of the parts in one cycle. */
struct d2ma_engine_step {
  struct d2ma_ctrl_array_cfg ctrl_cfg;
  struct d2ma_footprint_cfg foot_cfg;
  struct d2ma_lane_range_cfg lanes_cfg;
  struct d2ma_raw_check_cfg raw_cfg;
  struct d2ma_agen_cfg agen_cfg;
  struct d2ma_requests_cfg req_cfg;
  struct d2ma_ctrl_array_in ctrl_in;
  struct d2ma_ctrl_array_out ctrl;
  struct d2ma_footprint_in foot_in;
  struct d2ma_footprint_out foot;
  struct d2ma_lane_range_in lanes_in;
  struct d2ma_lane_range_out lanes;
  struct d2ma_raw_check_in raw_in;
  struct d2ma_raw_check_out raw;
  struct d2ma_agen_in agen_in;
  struct d2ma_agen_out agen;
  struct d2ma_requests_in req_in;
  struct d2ma_requests_out req;
  bool waits;
};

static void configure(const struct d2ma_engine_cfg *cfg, struct d2ma_engine_step *j) {
  __builtin_memset(j, 0, sizeof *j);
  j->ctrl_cfg = d2ma_engine_ctrl_cfg(cfg);
  j->foot_cfg = d2ma_engine_foot_cfg(cfg);
  j->lanes_cfg = d2ma_engine_lanes_cfg(cfg);
  j->raw_cfg = d2ma_engine_raw_cfg(cfg);
  j->agen_cfg = d2ma_engine_agen_cfg(cfg);
  j->req_cfg = d2ma_engine_req_cfg(cfg);
}

static void d2ma_engine_reset(const struct d2ma_engine_cfg *cfg, struct d2ma_engine_state *s) {
  struct d2ma_engine_step j;
  configure(cfg, &j);
  invariant(d2ma_ctrl_array_model.state_bytes <= sizeof s->ctrl && d2ma_raw_check_model.state_bytes <= sizeof s->raw &&
              d2ma_agen_model.state_bytes <= sizeof s->agen && d2ma_footprint_model.state_bytes <= sizeof s->foot &&
              d2ma_lane_range_model.state_bytes <= sizeof s->lanes && d2ma_requests_model.state_bytes <= sizeof s->req,
            "a part's state has outgrown its place");
  d2ma_ctrl_array_model.reset(&j.ctrl_cfg, s->ctrl);
  d2ma_footprint_model.reset(&j.foot_cfg, s->foot);
  d2ma_lane_range_model.reset(&j.lanes_cfg, s->lanes);
  d2ma_raw_check_model.reset(&j.raw_cfg, s->raw);
  d2ma_agen_model.reset(&j.agen_cfg, s->agen);
  d2ma_requests_model.reset(&j.req_cfg, s->req);
}

static void ask_controllers(const struct d2ma_engine_in *in, struct d2ma_engine_step *j) {
  struct d2ma_ctrl_array_in *ctrl = &j->ctrl_in;
  ctrl->wr_en = in->wr_en, ctrl->wr_kind = in->wr_kind, ctrl->wr_cta = in->wr_cta, ctrl->wr_buf = in->wr_buf;
  ctrl->wr_warp = in->wr_warp, ctrl->wr_grp = in->wr_grp, ctrl->literal = in->literal;
  __builtin_memcpy(ctrl->wr_data, in->wr_data, sizeof ctrl->wr_data);
  ctrl->clr_cta_en = in->clr_cta_en, ctrl->clr_cta = in->clr_cta, ctrl->clr_warps = in->clr_warps;
  ctrl->exit_en = in->exit_en, ctrl->exit_cta = in->exit_cta, ctrl->exit_warp = in->exit_warp;
  ctrl->force_en = in->force_en, ctrl->force_cta = in->force_cta, ctrl->force_buf = in->force_buf;
  ctrl->fl_en = in->fill_en;
  ctrl->wt_en = in->wt_en, ctrl->wt_cta = in->wt_cta, ctrl->wt_warp = in->wt_warp;
  ctrl->fp_en = j->foot.rd_en, ctrl->fp_cta = j->foot.rd_cta, ctrl->fp_buf = j->foot.rd_buf;
  ctrl->wk_en = j->foot.ck_known, ctrl->wk_cta = j->foot.ck_cta;
}

static void ask_checker(struct d2ma_engine_step *j) {
  struct d2ma_raw_check_in *raw = &j->raw_in;
  raw->wr_en = j->foot.ck_wr, raw->wr_cta = j->foot.ck_cta, raw->wr_buf = j->foot.ck_buf;
  raw->wr_sbase = j->foot.ck_sbase, raw->wr_foot = j->foot.ck_foot;
  raw->set_live = j->ctrl.ck_set, raw->clr_live = j->ctrl.ck_clr;
  raw->arm_wr = j->ctrl.ck_arm, raw->arm_clr = j->ctrl.ck_forget, raw->arm_warp = j->ctrl.ck_warp;
  raw->st_cta = raw->arm_cta = j->ctrl.ck_cta;
  raw->st_buf = raw->arm_buf = j->ctrl.ck_buf;
  raw->ld_valid = j->lanes.ld_valid, raw->ld_cta = j->lanes.ld_cta, raw->ld_warp = j->lanes.ld_warp;
  raw->ld_lo = j->lanes.ld_lo, raw->ld_hi = j->lanes.ld_hi;
}

/* Fields of an entry's 173 bits, whose places the header of rtl/d2ma/d2ma_ctrl_array.v gives, that several parts take. */
#define TAKE_FIELDS(part, e)                                 \
  do {                                                       \
    (part)->esz = (e)[3] >> 16 & 3;                          \
    (part)->dim2 = (e)[3] >> 18 & 1;                         \
    (part)->mode = (e)[3] >> 19 & 3;                         \
    (part)->hrows = (uint16_t)((e)[3] >> 21 | (e)[4] << 11); \
  } while (0)

static void ask_generator(const struct d2ma_engine_in *in, struct d2ma_engine_step *j) {
  struct d2ma_agen_in *agen = &j->agen_in;
  const uint32_t *e = j->ctrl.ag_entry;
  agen->start = j->ctrl.ag_start;
  agen->abort = j->ctrl.ag_abort;
  TAKE_FIELDS(agen, e);
  agen->gbase = e[0] | (uint64_t)e[1] << 32;
  agen->sbase = (uint16_t)e[2];
  agen->count = (uint16_t)(e[2] >> 16);
  agen->stride = (uint16_t)e[3];
  agen->hcols = (uint16_t)(e[4] >> 5);
  agen->region = (uint8_t)(e[4] >> 21);
  agen->hconst = (uint16_t)(e[4] >> 29 | e[5] << 3);
  agen->cst_ready = in->cst_ready && !j->ctrl.ag_abort;
}

static void ask_requests(const struct d2ma_engine_in *in, struct d2ma_engine_step *j) {
  struct d2ma_requests_in *req = &j->req_in;
  req->start = j->ctrl.ag_start, req->start_cta = j->ctrl.ag_cta, req->start_buf = j->ctrl.ag_buf;
  TAKE_FIELDS(req, j->ctrl.ag_entry);
  req->stride = (uint16_t)j->ctrl.ag_entry[3];
  req->abort = j->ctrl.ag_abort;
  req->ag_valid = j->agen.req_valid, req->ag_seg = j->agen.req_seg, req->ag_off = j->agen.req_off;
  req->ag_len = j->agen.req_len, req->ag_saddr = j->agen.req_saddr, req->ag_done = j->agen.done;
  req->free = in->free, req->reserve = in->reserve, req->req_ready = in->req_ready;
  req->clr_cta_en = in->clr_cta_en, req->clr_cta = in->clr_cta;
  req->fill_en = in->fill_en, req->fill_mshr = in->fill_mshr;
}

static bool waits(const struct d2ma_engine_cfg *cfg, const struct d2ma_engine_in *in,
                  const struct d2ma_engine_step *j) {
  uint32_t row = in->wt_cta * (uint32_t)cfg->BUFS + j->raw.hit_buf;
  bool wide = row < 64 && (j->foot.wide >> row & 1);
  return in->wt_en && j->raw.hit_valid && j->raw.hit && (!in->wt_store || wide);
}

/* The inputs that are sampled at the clock edge. */
static void end_of_cycle(const struct d2ma_engine_in *in, struct d2ma_engine_step *j) {
  const uint32_t *e = j->ctrl.ag_entry;
  j->ctrl_in.wr_go = in->wr_go;
  j->req_in.req_mshr = in->req_mshr;
  j->ctrl_in.wt_hit = j->waits;
  j->ctrl_in.fl_cta = j->req.fill_cta, j->ctrl_in.fl_buf = j->req.fill_buf;
  j->ctrl_in.ag_taken = j->req.taken;
  j->ctrl_in.ag_done = j->req.done;
  j->agen_in.req_ready = j->req.ag_ready;
  j->foot_in.wr_go = (j->ctrl.go_live || j->ctrl.go_arm) && in->wr_go && j->ctrl.rd_some;
  j->foot_in.wr_sbase = (uint16_t)j->ctrl.rd_entry[2];
  j->foot_in.rd_ok = j->ctrl.fp_ok;
  TAKE_FIELDS(&j->foot_in, e);
  j->foot_in.sbase = (uint16_t)e[2];
  j->foot_in.count = (uint16_t)(e[2] >> 16);
  j->foot_in.hcols = (uint16_t)(e[4] >> 5);
}

/* Evaluates the parts in the order in which their outputs depend on each other. */
static void evaluate(const struct d2ma_engine_cfg *cfg, const struct d2ma_engine_state *s,
                     const struct d2ma_engine_in *in, struct d2ma_engine_step *j) {
  configure(cfg, j);
  j->foot_in.wr_en = in->wr_en, j->foot_in.wr_cta = in->wr_cta, j->foot_in.wr_buf = in->wr_buf;
  d2ma_footprint_model.eval(&j->foot_cfg, s->foot, &j->foot_in, &j->foot);
  ask_controllers(in, j);
  d2ma_ctrl_array_model.eval(&j->ctrl_cfg, s->ctrl, &j->ctrl_in, &j->ctrl);
  j->lanes_in.at_valid = in->at_valid, j->lanes_in.at_cta = in->at_cta, j->lanes_in.at_warp = in->at_warp;
  j->lanes_in.at_mask = in->at_mask, j->lanes_in.at_last = in->at_last;
  __builtin_memcpy(j->lanes_in.at_addr, in->at_addr, sizeof j->lanes_in.at_addr);
  d2ma_lane_range_model.eval(&j->lanes_cfg, s->lanes, &j->lanes_in, &j->lanes);
  ask_checker(j);
  d2ma_raw_check_model.eval(&j->raw_cfg, s->raw, &j->raw_in, &j->raw);
  ask_generator(in, j);
  d2ma_agen_model.eval(&j->agen_cfg, s->agen, &j->agen_in, &j->agen);
  ask_requests(in, j);
  d2ma_requests_model.eval(&j->req_cfg, s->req, &j->req_in, &j->req);
  j->waits = waits(cfg, in, j);
}

static void memory_out(const struct d2ma_engine_step *j, struct d2ma_engine_out *out) {
  out->req_valid = j->req.req_valid, out->share = j->req.share, out->req_seg = j->req.req_seg;
  out->taken = j->req.taken;
  out->fill_drop = j->req.fill_drop, out->fill_cta = j->req.fill_cta, out->fill_buf = j->req.fill_buf;
  out->fill_off = j->req.fill_off, out->fill_len = j->req.fill_len, out->fill_step = j->req.fill_step;
  out->fill_esz = j->req.fill_esz, out->fill_saddr = j->req.fill_saddr, out->fill_cut = j->req.fill_cut;
  out->fill_next = j->req.fill_next;
  out->cst_valid = j->agen.cst_valid, out->cst_saddr = j->agen.cst_saddr, out->cst_len = j->agen.cst_len;
  out->cst_data = j->agen.cst_data, out->footprint = j->agen.footprint;
}

static void d2ma_engine_settle(const struct d2ma_engine_cfg *cfg, const struct d2ma_engine_state *s,
                               const struct d2ma_engine_in *in, struct d2ma_engine_out *out,
                               struct d2ma_engine_step *j) {
  evaluate(cfg, s, in, j);
  __builtin_memset(out, 0, sizeof *out);
  out->wr_act = j->ctrl.wr_act;
  __builtin_memcpy(out->rd_entry, j->ctrl.rd_entry, sizeof out->rd_entry);
  out->rd_some = j->ctrl.rd_some, out->full_cfg = j->ctrl.full_cfg, out->go_live = j->ctrl.go_live;
  out->ck_set = j->ctrl.ck_set, out->ck_forget = j->ctrl.ck_forget, out->ck_clr = j->ctrl.ck_clr;
  out->ck_stale = j->ctrl.ck_stale, out->ck_cta = j->ctrl.ck_cta, out->ck_buf = j->ctrl.ck_buf;
  if (j->foot.ck_known) {
    out->known = 1;
    out->known_cta = j->foot.ck_cta, out->known_buf = j->foot.ck_buf, out->known_foot = j->foot.ck_foot;
  }
  out->ag_start = j->ctrl.ag_start, out->ag_cta = j->ctrl.ag_cta, out->ag_buf = j->ctrl.ag_buf;
  memory_out(j, out);
  out->hit = j->raw.hit, out->hit_buf = j->raw.hit_buf, out->waits = j->waits;
  out->freed = j->ctrl.freed, out->freed_next = j->ctrl.freed_next, out->wake = j->ctrl.wake;
  out->armed = j->ctrl.armed, out->open = j->ctrl.open, out->moving = j->ctrl.moving;
  out->busy = j->ctrl.busy || j->foot.busy || j->lanes.busy || j->raw.busy || j->agen.busy || j->req.busy;
}

static void d2ma_engine_finish(const struct d2ma_engine_cfg *cfg, struct d2ma_engine_state *s,
                               const struct d2ma_engine_in *in, const struct d2ma_engine_out *out,
                               struct d2ma_engine_step *j) {
  (void)cfg, (void)out;
  end_of_cycle(in, j);
  d2ma_ctrl_array_model.tick(&j->ctrl_cfg, s->ctrl, &j->ctrl_in, &j->ctrl);
  d2ma_footprint_model.tick(&j->foot_cfg, s->foot, &j->foot_in, &j->foot);
  d2ma_lane_range_model.tick(&j->lanes_cfg, s->lanes, &j->lanes_in, &j->lanes);
  d2ma_raw_check_model.tick(&j->raw_cfg, s->raw, &j->raw_in, &j->raw);
  d2ma_agen_model.tick(&j->agen_cfg, s->agen, &j->agen_in, &j->agen);
  d2ma_requests_model.tick(&j->req_cfg, s->req, &j->req_in, &j->req);
}

#include "d2ma_engine_model.inc"
