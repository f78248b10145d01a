/* SPDX-License-Identifier: Apache-2.0 */
/* Read-after-write checks of shared accesses against in-flight buffers: drives the RAW checker, blocks warps and
 * releases them (Jamshidi 2014, 4.3).
 *
 * A query is answered one cycle later. A release is applied in the cycle after clr_live, in which the last hit on that
 * buffer can appear. The release has priority over the wait bit; otherwise the wake-up would be lost. */
#include "systems/d2ma/d2ma_internal.h"

bool d2ma_shared_needs_check(const void *self, uint32_t cta, bool store) {
  const struct d2ma *d = self;
  const struct d2ma_ctrl_array_out *out = d->ctrl->out;
  return ((d->fresh >> cta & 1) || d2ma_buffers_of(d, out->armed | out->moving, cta)) && (!store || d->check_stores);
}

void d2ma_shared_query(void *self, uint32_t cta, uint32_t warp, uint32_t lo, uint32_t hi, bool store) {
  struct d2ma *d = self;
  d->query = (struct d2ma_query){.valid = true,
                                 .store = store,
                                 .cta = cta,
                                 .warp = warp,
                                 .lo = (uint16_t)lo,
                                 .hi = (uint16_t)(hi < 65535 ? hi : 65535)};
  d->n->d2ma_raw_queries++;
}

bool d2ma_squash(void *self) { return ((struct d2ma *)self)->squash; }

/* An entry's transfer is complete. */
static void count_transfer(struct d2ma *d, uint32_t index) {
  const struct d2ma_entry *e = &d->entry[index];
  struct d2ma_counters *counters = d->n;
  counters->d2ma_transfers++;
  counters->d2ma_agen_cycles += e->last_request - e->ignited;
  if (e->last_write > e->last_request) counters->d2ma_mem_cycles += e->last_write - e->last_request;
  if (d->sm.copy_ended)
    d->sm.copy_ended(d->sm.sm, index / D2MA_BUFFERS, index % D2MA_BUFFERS, e->ignited, e->last_request, e->last_write);
}

/* The controllers' requests, and the address range of an operation that was found legal. */
static void drive(struct d2ma *d, const struct d2ma_ctrl_array_out *ctrl, struct d2ma_raw_check_in *in) {
  const struct d2ma_ctrl_array_in *told = d->ctrl->in;
  *in = (struct d2ma_raw_check_in){0};
  if (d->ctrl_on) {
    bool live = ctrl->go_live && d->go, arms = ctrl->go_arm && d->go;
    if (live || arms) {
      in->wr_en = 1;
      in->wr_cta = (uint8_t)(d->op / D2MA_BUFFERS);
      in->wr_buf = (uint8_t)(d->op % D2MA_BUFFERS);
      in->wr_sbase = (uint16_t)d->entry[d->op].sbase;
      in->wr_foot = d->entry[d->op].footprint;
    }
    in->set_live = live || ctrl->st_set;
    in->clr_live = ctrl->st_clr;
    in->st_cta = ctrl->st_cta;
    in->st_buf = ctrl->st_buf;
    in->arm_wr = arms || ctrl->arm_wr;
    in->arm_clr = ctrl->arm_clr;
    in->arm_cta = ctrl->arm_cta;
    in->arm_buf = ctrl->arm_buf;
    if (in->arm_wr) in->arm_warp = told->wr_warp;
  }
  if (d->query.valid) {
    in->ld_valid = 1;
    in->ld_cta = (uint8_t)d->query.cta;
    in->ld_warp = (uint8_t)d->query.warp;
    in->ld_lo = d->query.lo;
    in->ld_hi = d->query.hi;
  }
}

/* Handles the answer to the previous cycle's query. */
static void answer(struct d2ma *d, const struct d2ma_raw_check_out *out) {
  struct d2ma_ctrl_array_in *told = d->ctrl->in;
  const struct d2ma_ctrl_array_out *ctrl = d->ctrl->out;
  if (!d->asked.valid || !out->hit_valid || !out->hit) return;
  if (d->asked.store) { /* the paper does not check stores; assumption: they are program errors */
    d->n->d2ma_store_hits++;
    d2ma_misused(d, d->asked.warp, 0, "a store into a buffer whose transfer is in flight (d2ma.check_stores)");
    return;
  }
  d->squash = true;
  d->n->d2ma_raw_hits++;
  told->wt_hit = 1;
  if (!(ctrl->freed >> d->asked.cta & 1)) d->waiting |= UINT64_C(1) << d->asked.warp;
}

void d2ma_raw_cycle(struct d2ma *d) {
  const struct d2ma_ctrl_array_out *ctrl = d->ctrl->out;
  d->squash = false;
  if (d->ctrl_on) {
    uint32_t index = entry_index(ctrl->st_cta, ctrl->st_buf) % D2MA_ENTRIES;
    if (ctrl->st_clr && !ctrl->st_stale) count_transfer(d, index);
    if (ctrl->st_set) d2ma_note_ignition(d, index);
  }
  bool told = d->ctrl_on && (d->go || ctrl->st_set || ctrl->st_clr || ctrl->arm_wr || ctrl->arm_clr);
  if (!told && !d->query.valid && !d->raw_awake && d->raw->skip) return;
  struct d2ma_raw_check_in *in = d->raw->in;
  const struct d2ma_raw_check_out *out = d->raw->out;
  drive(d, ctrl, in);
  block_eval(d->raw);
  answer(d, out);
  block_tick(d->raw);
  d->asked = d->query;
  d->query.valid = false;
  d->raw_awake = in->ld_valid || in->wr_en || in->set_live || in->clr_live || in->arm_wr || in->arm_clr || out->busy;
}
