/* SPDX-License-Identifier: Apache-2.0 */
/* An atom management unit with its ALB (Vijaykumar 2019, section 2.4): connects the models of its parts as
 * rtl/xmem/xmem_amu.v connects their Verilog. It has no further state. */
#include "base/err.h"
#include "block/block.h"
#include "xmem_amu_ports.h"

/* States of the parts, in the layout of their models. */
struct xmem_amu_state {
  uint64_t core[320], alb[3072];
};

/* Inputs and outputs of both parts in one cycle; evaluate fills every field. */
struct xmem_amu_step {
  struct xmem_amu_core_in core_in;
  struct xmem_amu_core_out core;
  struct xmem_alb_in alb_in;
  struct xmem_alb_out alb;
};

static void xmem_amu_reset(const struct xmem_amu_cfg *cfg, struct xmem_amu_state *s) {
  struct xmem_amu_core_cfg core = xmem_amu_core_cfg(cfg);
  struct xmem_alb_cfg alb = xmem_amu_alb_cfg(cfg);
  invariant(xmem_amu_core_model.state_bytes <= sizeof s->core && xmem_alb_model.state_bytes <= sizeof s->alb,
            "a part's state has outgrown its place");
  xmem_amu_core_model.reset(&core, s->core);
  xmem_alb_model.reset(&alb, s->alb);
}

static void ask_core(const struct xmem_amu_in *in, const struct xmem_alb_out *alb, struct xmem_amu_core_in *core) {
  core->cmd_valid = in->cmd_valid, core->cmd_op = in->cmd_op, core->cmd_aid = in->cmd_aid, core->cmd_dim = in->cmd_dim;
  core->reg_we = in->reg_we, core->reg_sel = in->reg_sel, core->reg_data = in->reg_data;
  core->mmu_rq_ready = in->mmu_rq_ready, core->mmu_rs_valid = in->mmu_rs_valid;
  core->mmu_rs_fault = in->mmu_rs_fault, core->mmu_rs_ppn = in->mmu_rs_ppn;
  core->mem_rq_ready = in->mem_rq_ready, core->mem_rs_valid = in->mem_rs_valid;
  core->mem_rs_id = in->mem_rs_id, core->mem_rs_data = in->mem_rs_data;
  core->lk_valid = in->lk_valid, core->lk_tag = in->lk_tag, core->lk_ctx = in->lk_ctx;
  core->ai_valid = in->ai_valid, core->ai_aid = in->ai_aid, core->ai_val = in->ai_val;
  core->ws_rd_en = in->ws_rd_en, core->ws_rd_aid = in->ws_rd_aid;
  core->ar_valid = alb->rs_valid, core->ar_tag = alb->rs_tag, core->ar_aid = alb->rs_aid, core->ar_hit = alb->rs_hit;
  core->ms_valid = alb->ms_valid, core->ms_ppn = alb->ms_ppn, core->ms_id = alb->ms_id;
}

/* Evaluates both parts. The ALB's answers and misses come from registers; its ready outputs depend on flush and update
 * only. */
static void evaluate(const struct xmem_amu_cfg *cfg, const struct xmem_amu_state *s, const struct xmem_amu_in *in,
                     struct xmem_amu_step *j) {
  struct xmem_amu_core_cfg core = xmem_amu_core_cfg(cfg);
  struct xmem_alb_cfg alb = xmem_amu_alb_cfg(cfg);
  struct xmem_alb_in *a = &j->alb_in;
  a->flush = a->up_valid = 0;
  xmem_alb_model.eval(&alb, s->alb, a, &j->alb);
  ask_core(in, &j->alb, &j->core_in);
  xmem_amu_core_model.eval(&core, s->core, &j->core_in, &j->core);
  a->flush = j->core.flush;
  a->lk_valid = j->core.al_valid;
  a->lk_ppn = (uint32_t)(in->lk_pa >> 12);
  a->lk_sub = (uint8_t)(in->lk_pa >> (12 - block_clog2((uint32_t)cfg->UNITS)) & ((uint32_t)cfg->UNITS - 1));
  a->lk_tag = (uint16_t)(in->lk_ctx << (cfg->TAGW - 2) | in->lk_tag);
  a->up_valid = cfg->HOME ? j->core.bc_valid : in->bi_valid;
  a->up_ppn = cfg->HOME ? j->core.bc_ppn : in->bi_ppn;
  a->up_mask = cfg->HOME ? j->core.bc_mask : in->bi_mask;
  a->up_aid = cfg->HOME ? j->core.bc_aid : in->bi_aid;
  a->ms_ready = j->core.ms_ready;
  a->fl_valid = j->core.fl_valid, a->fl_id = j->core.fl_id, a->fl_data = j->core.fl_data;
  if (a->flush || a->up_valid) xmem_alb_model.eval(&alb, s->alb, a, &j->alb);
  j->core_in.al_ready = j->alb.lk_ready;
  j->core_in.fl_ready = j->alb.fl_ready;
}

static void xmem_amu_settle(const struct xmem_amu_cfg *cfg, const struct xmem_amu_state *s,
                            const struct xmem_amu_in *in, struct xmem_amu_out *out, struct xmem_amu_step *j) {
  evaluate(cfg, s, in, j);
  out->cmd_ready = j->core.cmd_ready;
  out->mmu_rq_valid = j->core.mmu_rq_valid, out->mmu_rq_vpn = j->core.mmu_rq_vpn;
  out->mem_rq_valid = j->core.mem_rq_valid, out->mem_rq_we = j->core.mem_rq_we, out->mem_rq_addr = j->core.mem_rq_addr;
  out->mem_rq_wdata = j->core.mem_rq_wdata, out->mem_rq_wstrb = j->core.mem_rq_wstrb,
  out->mem_rq_id = j->core.mem_rq_id;
  out->lk_ready = j->core.lk_open && j->alb.lk_ready;
  out->rs_valid = j->core.rs_valid, out->rs_tag = j->core.rs_tag, out->rs_aid = j->core.rs_aid;
  out->rs_active = j->core.rs_active, out->rs_hit = j->core.rs_hit;
  out->bc_valid = j->core.bc_valid, out->bc_ppn = j->core.bc_ppn, out->bc_mask = j->core.bc_mask;
  out->bc_aid = j->core.bc_aid;
  out->ab_valid = j->core.ab_valid, out->ab_aid = j->core.ab_aid, out->ab_val = j->core.ab_val;
  out->atoms_changed = j->core.atoms_changed, out->ws_rd_val = j->core.ws_rd_val;
  out->c_pages = j->core.c_pages, out->c_stall = j->core.c_stall;
  out->c_lk = j->alb.c_lk, out->c_hit = j->alb.c_hit, out->c_miss = j->alb.c_miss, out->c_merge = j->alb.c_merge;
  out->doing = j->core.doing;
  out->busy = j->core.busy || j->alb.busy;
}

static void xmem_amu_finish(const struct xmem_amu_cfg *cfg, struct xmem_amu_state *s, const struct xmem_amu_in *in,
                            const struct xmem_amu_out *out, struct xmem_amu_step *j) {
  struct xmem_amu_core_cfg core = xmem_amu_core_cfg(cfg);
  struct xmem_alb_cfg alb = xmem_amu_alb_cfg(cfg);
  (void)in, (void)out;
  xmem_amu_core_model.tick(&core, s->core, &j->core_in, &j->core);
  xmem_alb_model.tick(&alb, s->alb, &j->alb_in, &j->alb);
}

#include "xmem_amu_model.inc"
