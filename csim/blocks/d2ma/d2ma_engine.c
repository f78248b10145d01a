/* SPDX-License-Identifier: Apache-2.0 */
/* The D2MA engine of an SM (Jamshidi 2014, section 4): connects the models of its parts as rtl/d2ma/d2ma_engine.v
 * connects their Verilog. It has no further state. */
#include "base/err.h"
#include "block/block.h"
#include "d2ma_engine_ports.h"

/* States of the parts, in the layout of their models. */
struct d2ma_engine_state {
  uint64_t ctrl[512], raw[192], agen[48];
};

/* Inputs and outputs of the three parts in one cycle. */
struct joined {
  struct d2ma_ctrl_array_in ctrl_in;
  struct d2ma_ctrl_array_out ctrl;
  struct d2ma_raw_check_in raw_in;
  struct d2ma_raw_check_out raw;
  struct d2ma_agen_in agen_in;
  struct d2ma_agen_out agen;
};

static void d2ma_engine_reset(const struct d2ma_engine_cfg *cfg, struct d2ma_engine_state *s) {
  struct d2ma_ctrl_array_cfg ctrl = d2ma_engine_ctrl_cfg(cfg);
  struct d2ma_raw_check_cfg raw = d2ma_engine_raw_cfg(cfg);
  struct d2ma_agen_cfg agen = d2ma_engine_agen_cfg(cfg);
  invariant(d2ma_ctrl_array_model.state_bytes <= sizeof s->ctrl && d2ma_raw_check_model.state_bytes <= sizeof s->raw &&
              d2ma_agen_model.state_bytes <= sizeof s->agen,
            "a part's state has outgrown its place");
  d2ma_ctrl_array_model.reset(&ctrl, s->ctrl);
  d2ma_raw_check_model.reset(&raw, s->raw);
  d2ma_agen_model.reset(&agen, s->agen);
}

static void ask_controllers(const struct d2ma_engine_in *in, struct d2ma_ctrl_array_in *ctrl) {
  ctrl->wr_en = in->wr_en, ctrl->wr_kind = in->wr_kind, ctrl->wr_cta = in->wr_cta, ctrl->wr_buf = in->wr_buf;
  ctrl->wr_warp = in->wr_warp, ctrl->wr_grp = in->wr_grp, ctrl->literal = in->literal, ctrl->wr_go = in->wr_go;
  __builtin_memcpy(ctrl->wr_data, in->wr_data, sizeof ctrl->wr_data);
  ctrl->clr_cta_en = in->clr_cta_en, ctrl->clr_cta = in->clr_cta, ctrl->clr_warps = in->clr_warps;
  ctrl->exit_en = in->exit_en, ctrl->exit_cta = in->exit_cta, ctrl->exit_warp = in->exit_warp;
  ctrl->force_en = in->force_en, ctrl->force_cta = in->force_cta, ctrl->force_buf = in->force_buf;
  ctrl->fl_en = in->fl_en, ctrl->fl_cta = in->fl_cta, ctrl->fl_buf = in->fl_buf, ctrl->fl_long = in->fl_long;
  ctrl->wt_en = in->wt_en, ctrl->wt_cta = in->wt_cta, ctrl->wt_warp = in->wt_warp;
}

static void ask_checker(const struct d2ma_engine_in *in, struct joined *j) {
  struct d2ma_raw_check_in *raw = &j->raw_in;
  bool live = j->ctrl.go_live && in->wr_go, arms = j->ctrl.go_arm && in->wr_go;
  raw->wr_en = live || arms, raw->wr_cta = in->wr_cta, raw->wr_buf = in->wr_buf;
  raw->wr_sbase = (uint16_t)j->ctrl.rd_entry[2], raw->wr_foot = in->wr_foot;
  raw->set_live = j->ctrl.st_set || live, raw->clr_live = j->ctrl.st_clr;
  raw->st_cta = j->ctrl.st_cta, raw->st_buf = j->ctrl.st_buf;
  raw->arm_wr = j->ctrl.arm_wr || arms, raw->arm_clr = j->ctrl.arm_clr;
  raw->arm_cta = j->ctrl.arm_cta, raw->arm_buf = j->ctrl.arm_buf, raw->arm_warp = in->wr_warp;
  raw->ld_valid = in->ld_valid, raw->ld_cta = in->ld_cta, raw->ld_warp = in->ld_warp;
  raw->ld_lo = in->ld_lo, raw->ld_hi = in->ld_hi;
}

/* The header of rtl/d2ma/d2ma_ctrl_array.v gives the places of the fields in an entry's 173 bits. */
static void ask_generator(const struct d2ma_engine_in *in, struct joined *j) {
  struct d2ma_agen_in *agen = &j->agen_in;
  const uint32_t *e = j->ctrl.ag_entry;
  agen->start = j->ctrl.ag_start || (j->ctrl.go_start && in->wr_go);
  agen->abort = j->ctrl.ag_abort;
  agen->gbase = e[0] | (uint64_t)e[1] << 32;
  agen->sbase = (uint16_t)e[2];
  agen->count = (uint16_t)(e[2] >> 16);
  agen->stride = (uint16_t)e[3];
  agen->esz = e[3] >> 16 & 3;
  agen->dim2 = e[3] >> 18 & 1;
  agen->mode = e[3] >> 19 & 3;
  agen->hrows = (uint16_t)(e[3] >> 21 | e[4] << 11);
  agen->hcols = (uint16_t)(e[4] >> 5);
  agen->region = (uint8_t)(e[4] >> 21);
  agen->hconst = (uint16_t)(e[4] >> 29 | e[5] << 3);
  agen->req_ready = in->req_ready && !j->ctrl.ag_abort;
  agen->cst_ready = in->cst_ready && !j->ctrl.ag_abort;
}

/* Evaluates all three parts. The controllers come first; their inputs that are sampled at the clock edge come from the
 * other parts. */
static void settle(const struct d2ma_engine_cfg *cfg, const struct d2ma_engine_state *s,
                   const struct d2ma_engine_in *in, struct joined *j) {
  struct d2ma_ctrl_array_cfg ctrl = d2ma_engine_ctrl_cfg(cfg);
  struct d2ma_raw_check_cfg raw = d2ma_engine_raw_cfg(cfg);
  struct d2ma_agen_cfg agen = d2ma_engine_agen_cfg(cfg);
  __builtin_memset(j, 0, sizeof *j);
  ask_controllers(in, &j->ctrl_in);
  d2ma_ctrl_array_model.eval(&ctrl, s->ctrl, &j->ctrl_in, &j->ctrl);
  ask_checker(in, j);
  d2ma_raw_check_model.eval(&raw, s->raw, &j->raw_in, &j->raw);
  ask_generator(in, j);
  d2ma_agen_model.eval(&agen, s->agen, &j->agen_in, &j->agen);
  j->ctrl_in.wt_hit = j->raw.hit_valid && j->raw.hit;
  j->ctrl_in.ag_taken = j->agen.req_valid && in->req_ready;
  j->ctrl_in.ag_done = j->agen.done;
}

static void d2ma_engine_eval(const struct d2ma_engine_cfg *cfg, const struct d2ma_engine_state *s,
                             const struct d2ma_engine_in *in, struct d2ma_engine_out *out) {
  struct joined j;
  settle(cfg, s, in, &j);
  out->wr_act = j.ctrl.wr_act;
  __builtin_memcpy(out->rd_entry, j.ctrl.rd_entry, sizeof out->rd_entry);
  out->full_cfg = j.ctrl.full_cfg;
  out->go_live = j.ctrl.go_live;
  out->st_set = j.ctrl.st_set, out->st_clr = j.ctrl.st_clr, out->st_stale = j.ctrl.st_stale;
  out->st_cta = j.ctrl.st_cta, out->st_buf = j.ctrl.st_buf;
  out->ag_start = j.ctrl.ag_start, out->go_start = j.ctrl.go_start;
  out->ag_cta = j.ctrl.ag_cta, out->ag_buf = j.ctrl.ag_buf;
  out->req_valid = j.agen.req_valid, out->req_seg = j.agen.req_seg, out->req_off = j.agen.req_off;
  out->req_len = j.agen.req_len, out->req_saddr = j.agen.req_saddr;
  out->cst_valid = j.agen.cst_valid, out->cst_saddr = j.agen.cst_saddr, out->cst_len = j.agen.cst_len;
  out->cst_data = j.agen.cst_data, out->footprint = j.agen.footprint;
  out->hit = j.raw.hit, out->hit_buf = j.raw.hit_buf;
  out->freed = j.ctrl.freed, out->freed_next = j.ctrl.freed_next, out->wake = j.ctrl.wake;
  out->armed = j.ctrl.armed, out->open = j.ctrl.open, out->moving = j.ctrl.moving;
  out->busy = j.ctrl.busy || j.agen.busy || j.raw.busy;
}

static void d2ma_engine_tick(const struct d2ma_engine_cfg *cfg, struct d2ma_engine_state *s,
                             const struct d2ma_engine_in *in, const struct d2ma_engine_out *out) {
  struct joined j;
  struct d2ma_ctrl_array_cfg ctrl = d2ma_engine_ctrl_cfg(cfg);
  struct d2ma_raw_check_cfg raw = d2ma_engine_raw_cfg(cfg);
  struct d2ma_agen_cfg agen = d2ma_engine_agen_cfg(cfg);
  (void)out;
  settle(cfg, s, in, &j);
  d2ma_ctrl_array_model.tick(&ctrl, s->ctrl, &j.ctrl_in, &j.ctrl);
  d2ma_raw_check_model.tick(&raw, s->raw, &j.raw_in, &j.raw);
  d2ma_agen_model.tick(&agen, s->agen, &j.agen_in, &j.agen);
}

#include "d2ma_engine_model.inc"
