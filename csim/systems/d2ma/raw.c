/* SPDX-License-Identifier: Apache-2.0 */
/* Read-after-write checks of shared accesses against in-flight buffers: drives the lane ranges and the RAW checker, blocks
 * warps and releases them (Jamshidi 2014, 4.3).
 *
 * A query is answered two cycles later. A release has priority over the wait bit of its cycle; otherwise the wake-up would
 * be lost. */
#include "systems/d2ma/d2ma_internal.h"

#include <string.h>

bool d2ma_shared_needs_check(const void *self, uint32_t cta, bool store) {
  const struct d2ma *d = self;
  const struct d2ma_ctrl_array_out *out = d->ctrl->out;
  return ((d->fresh >> cta & 1) || d2ma_buffers_of(d, out->armed | out->moving, cta)) && (!store || d->check_stores);
}

void d2ma_shared_query(void *self, const struct shared_query *q) {
  struct d2ma *d = self;
  struct d2ma_lane_range_in *in = d->lanes->in;
  d->query[0] = (struct d2ma_query){.valid = true, .store = q->store, .cta = q->cta, .warp = q->warp};
  in->at_valid = 1;
  in->at_cta = (uint8_t)q->cta;
  in->at_warp = (uint8_t)q->warp;
  in->at_mask = q->mask;
  in->at_last = (uint8_t)(q->bytes - 1);
  memcpy(in->at_addr, q->address, sizeof in->at_addr);
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

/* The ranges of the footprints, the events of the controllers, and the query. */
static void drive(struct d2ma *d, struct d2ma_raw_check_in *in) {
  const struct d2ma_ctrl_array_out *ctrl = d->ctrl->out;
  const struct d2ma_footprint_out *foot = d->foot->out;
  const struct d2ma_lane_range_out *lanes = d->lanes->out;
  *in = (struct d2ma_raw_check_in){0};
  if (d->foot_on && foot->ck_wr) {
    in->wr_en = 1;
    in->wr_cta = foot->ck_cta;
    in->wr_buf = foot->ck_buf;
    in->wr_sbase = foot->ck_sbase;
    in->wr_foot = foot->ck_foot;
  }
  if (d->ctrl_on) {
    in->set_live = ctrl->ck_set;
    in->clr_live = ctrl->ck_clr;
    in->arm_wr = ctrl->ck_arm;
    in->arm_clr = ctrl->ck_forget;
    in->st_cta = in->arm_cta = ctrl->ck_cta;
    in->st_buf = in->arm_buf = ctrl->ck_buf;
    in->arm_warp = ctrl->ck_warp;
  }
  in->ld_valid = lanes->ld_valid;
  in->ld_cta = lanes->ld_cta;
  in->ld_warp = lanes->ld_warp;
  in->ld_lo = lanes->ld_lo;
  in->ld_hi = lanes->ld_hi;
}

/* Handles the answer to the query of two cycles ago. */
static void answer(struct d2ma *d, const struct d2ma_raw_check_out *out) {
  struct d2ma_ctrl_array_in *told = d->ctrl->in;
  const struct d2ma_ctrl_array_out *ctrl = d->ctrl->out;
  const struct d2ma_footprint_out *foot = d->foot->out;
  const struct d2ma_query *asked = &d->query[D2MA_CHECK_CYCLES];
  if (!asked->valid || !out->hit_valid || !out->hit) return;
  bool wide = d2ma_buffers_of(d, foot->wide, asked->cta) >> out->hit_buf & 1;
  if (asked->store && !wide) { /* the paper does not check stores; assumption: they are program errors */
    d->n->d2ma_store_hits++;
    d2ma_misused(d, asked->warp, 0, "a store into a buffer whose transfer is in flight (d2ma.check_stores)");
    return;
  }
  d->squash = true;
  d->n->d2ma_raw_hits++;
  told->wt_hit = 1;
  if (!(ctrl->freed >> asked->cta & 1)) d->waiting |= UINT64_C(1) << asked->warp;
}

/* Events of the controllers and the footprints, for counters. */
static void note_events(struct d2ma *d) {
  const struct d2ma_ctrl_array_out *ctrl = d->ctrl->out;
  const struct d2ma_footprint_out *foot = d->foot->out;
  uint32_t index = entry_index(ctrl->ck_cta, ctrl->ck_buf) % D2MA_ENTRIES;
  if (d->ctrl_on && ctrl->ck_clr && !ctrl->ck_stale) count_transfer(d, index);
  if (d->ctrl_on && ctrl->ck_set && ctrl->ck_forget) d2ma_note_ignition(d, index);
  if (!d->foot_on || !foot->ck_known) return;
  /* the rules' footprint; a difference means a broken engine */
  const struct d2ma_entry *e = &d->entry[entry_index(foot->ck_cta, foot->ck_buf) % D2MA_ENTRIES];
  if (e->footprint != D2MA_NONE && e->footprint != foot->ck_foot) d->n->d2ma_program_errors++;
}

/* Executes a cycle of the checker; `told`: it is told something, `ranges`: the lane ranges have a cycle, too. */
static __attribute__((noinline)) void check(struct d2ma *d, bool told, bool ranges) {
  struct d2ma_lane_range_in *access = d->lanes->in;
  const struct d2ma_lane_range_out *lanes = d->lanes->out;
  if (told) note_events(d);
  if (ranges) block_eval(d->lanes);
  struct d2ma_raw_check_in *in = d->raw->in;
  const struct d2ma_raw_check_out *out = d->raw->out;
  drive(d, in);
  block_eval(d->raw);
  answer(d, out);
  if (ranges) {
    block_tick(d->lanes);
    d->lanes_awake = access->at_valid || lanes->busy;
    access->at_valid = 0;
  }
  block_tick(d->raw);
  for (uint32_t i = D2MA_CHECK_CYCLES; i; i--) d->query[i] = d->query[i - 1];
  d->query[0].valid = false;
  d->raw_awake = in->ld_valid || told || out->busy || d->query[D2MA_CHECK_CYCLES].valid;
}

void d2ma_raw_cycle(struct d2ma *d) {
  const struct d2ma_ctrl_array_out *ctrl = d->ctrl->out;
  const struct d2ma_footprint_out *foot = d->foot->out;
  const struct d2ma_lane_range_in *access = d->lanes->in;
  bool told = (d->foot_on & foot->ck_wr) | (d->ctrl_on & (ctrl->ck_set | ctrl->ck_clr | ctrl->ck_arm));
  bool ranges = access->at_valid | d->lanes_awake | !d->lanes->skip;
  d->squash = false;
  if (told | ranges | d->raw_awake | !d->raw->skip) check(d, told, ranges);
}
