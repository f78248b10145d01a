/* SPDX-License-Identifier: Apache-2.0 */
/* Shared accesses against buffers in flight: driving the RAW checker, wait and release (Jamshidi
 * 2014, 4.3).
 *
 * A query is answered one cycle later. A release is applied in the cycle after clr_live, which is
 * the cycle in which the last hit on that buffer can appear; it beats the wait bit, or the wake-up
 * would be lost. */
#include "systems/d2ma/d2ma_internal.h"

bool d2ma_shared_needs_check(const void *self, uint32_t cta, bool store) {
  const struct d2ma *d = self;
  return d->cta[cta].not_idle && (!store || d->check_stores);
}

void d2ma_shared_query(void *self, uint32_t cta, uint32_t warp, uint32_t lo, uint32_t hi, bool store) {
  struct d2ma *d = self;
  d->query = (struct d2ma_query){.valid = true,
                                 .store = store,
                                 .cta = cta,
                                 .warp = warp,
                                 .lo = (uint16_t)lo,
                                 .hi = (uint16_t)(hi < 65535 ? hi : 65535)};
  d->sm.counters->d2ma_raw_queries++;
}

bool d2ma_squash(void *self) { return ((struct d2ma *)self)->squash; }

/* The transfer of a finished entry is done: the checker forgets the entry, and whoever waited is
 * released. */
static void finish(struct d2ma *d, uint32_t index, struct d2ma_raw_check_in *in) {
  struct d2ma_entry *e = &d->entry[index];
  struct sm_counters *counters = d->sm.counters;
  in->clr_live = 1;
  in->st_cta = (uint8_t)(index / D2MA_BUFFERS);
  in->st_buf = (uint8_t)(index % D2MA_BUFFERS);
  d->finished &= ~entry_bit(index);
  d2ma_set_state(d, index, ENTRY_IDLE);
  d->release |= cta_bit(index);
  if (e->stale) {
    e->stale = false;
    return;
  }
  counters->d2ma_transfers++;
  counters->d2ma_agen_cycles += e->last_request - e->ignited;
  if (e->last_write > e->last_request) counters->d2ma_mem_cycles += e->last_write - e->last_request;
  if (d->sm.copy_ended)
    d->sm.copy_ended(d->sm.sm, index / D2MA_BUFFERS, index % D2MA_BUFFERS, e->ignited, e->last_request, e->last_write);
  d2ma_close_if_complete(d, index);
}

static void clear_arrivals(struct d2ma *d, uint32_t index, struct d2ma_raw_check_in *in) {
  in->arm_clr = 1;
  in->arm_cta = (uint8_t)(index / D2MA_BUFFERS);
  in->arm_buf = (uint8_t)(index % D2MA_BUFFERS);
  d->entry[index].arm_dirty = false;
}

/* Every live warp has arrived: the buffer is live for all of them from now on, and its arrival bits
 * are forgotten. */
static void leave_armed(struct d2ma *d, uint32_t index, struct d2ma_raw_check_in *in) {
  d->full &= ~entry_bit(index);
  in->set_live = 1;
  in->st_cta = (uint8_t)(index / D2MA_BUFFERS);
  in->st_buf = (uint8_t)(index % D2MA_BUFFERS);
  clear_arrivals(d, index, in);
  d2ma_ignite(d, index);
  d->release |= cta_bit(index);
}

/* Ports for the operation issued in this cycle. Returns true if it takes the arrival port. */
static bool drive_operation(struct d2ma *d, struct d2ma_raw_check_in *in) {
  uint8_t cta = (uint8_t)(d->op.entry / D2MA_BUFFERS), buf = (uint8_t)(d->op.entry % D2MA_BUFFERS);
  const struct d2ma_entry *e = &d->entry[d->op.entry];
  if (d->op.write) {
    in->wr_en = 1;
    in->wr_cta = cta;
    in->wr_buf = buf;
    in->wr_sbase = (uint16_t)e->sbase;
    in->wr_foot = e->footprint;
  }
  if (d->op.set) {
    in->set_live = 1;
    in->st_cta = cta;
    in->st_buf = buf;
  }
  if (!d->op.arm) return false;
  if (d->full & entry_bit(d->op.entry)) { /* the last arrival */
    leave_armed(d, d->op.entry, in);
    return true;
  }
  in->arm_wr = 1;
  in->arm_cta = cta;
  in->arm_buf = buf;
  in->arm_warp = (uint8_t)d->op.warp;
  d->entry[d->op.entry].arm_dirty = true;
  return true;
}

/* Lowest finished entry whose last byte is written by now (and whose arrival bits can be cleared),
 * or D2MA_NONE. */
static uint32_t pick_finished(const struct d2ma *d, bool arm_port) {
  for (uint64_t rest = d->finished; rest; rest &= rest - 1) {
    uint32_t index = (uint32_t)__builtin_ctzll(rest);
    const struct d2ma_entry *e = &d->entry[index];
    if (e->last_write <= *d->sm.now && (arm_port || !e->arm_dirty)) return index;
  }
  return D2MA_NONE;
}

static void drive(struct d2ma *d, struct d2ma_raw_check_in *in) {
  *in = (struct d2ma_raw_check_in){0};
  bool arm_port = !drive_operation(d, in);
  d->op = (struct d2ma_port_op){0};
  if (!in->set_live) {
    uint32_t index = pick_finished(d, arm_port);
    if (index != D2MA_NONE) {
      if (d->entry[index].arm_dirty) clear_arrivals(d, index, in);
      finish(d, index, in);
    } else if (d->full && arm_port) {
      leave_armed(d, (uint32_t)__builtin_ctzll(d->full), in);
    }
  }
  if (d->query.valid) {
    in->ld_valid = 1;
    in->ld_cta = (uint8_t)d->query.cta;
    in->ld_warp = (uint8_t)d->query.warp;
    in->ld_lo = d->query.lo;
    in->ld_hi = d->query.hi;
  }
}

/* The answer to the query of the cycle before. */
static void answer(struct d2ma *d, const struct d2ma_raw_check_out *out) {
  d->squash = false;
  if (!d->asked.valid || !out->hit_valid || !out->hit) return;
  if (d->asked.store) { /* the paper lets stores through; ours: they are errors of the program */
    d->sm.counters->d2ma_store_hits++;
    d2ma_misused(d, d->asked.warp, 0, "a store into a buffer whose transfer is in flight (d2ma.check_stores)");
    return;
  }
  d->squash = true;
  d->sm.counters->d2ma_raw_hits++;
  if (!(d->release_now >> d->asked.cta & 1)) d->waiting |= UINT64_C(1) << d->asked.warp;
}

void d2ma_raw_cycle(struct d2ma *d) {
  d->squash = false;
  if (!d->op.write && !d->op.set && !d->op.arm && !d->finished && !d->full && !d->query.valid && !d->raw_awake &&
      d->raw->skip)
    return;
  struct d2ma_raw_check_in *in = d->raw->in;
  const struct d2ma_raw_check_out *out = d->raw->out;
  drive(d, in);
  block_eval(d->raw);
  answer(d, out);
  block_tick(d->raw);
  d->asked = d->query;
  d->query.valid = false;
  d->raw_awake = in->ld_valid || in->wr_en || in->set_live || in->clr_live || in->arm_wr || in->arm_clr || out->busy;
}
