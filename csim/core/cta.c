/* SPDX-License-Identifier: Apache-2.0 */
/* CTAs: slots, slices of shared memory, hardware warps, barriers, retirement. */
#include "core/cta.h"

#include "core/sm_state.h"

#include <string.h>

/* ---- start ---- */

uint32_t sm_shared_slice(const struct gpu_config *m, const struct ptx_kernel *k, uint32_t dynamic_shared) {
  uint64_t bytes = (uint64_t)k->shared_bytes + dynamic_shared + (uint64_t)m->sm_shared_reserve +
                   (m->sm_shared_parameters ? k->param_bytes : 0);
  bytes = (bytes + SM_SHARED_GRAIN - 1) / SM_SHARED_GRAIN * SM_SHARED_GRAIN;
  return bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

static uint32_t slice_bytes(const struct sm *sm) {
  return sm_shared_slice(sm->config, sm->launch.kernel, sm->launch.dynamic_shared_bytes);
}

/* First fit: the lowest sufficient gap between the resident slices. UINT32_MAX: none. */
static uint32_t find_slice(const struct sm *sm, uint32_t bytes) {
  uint32_t base = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t i = 0; i < sm->n_ctas; i++) {
      const struct sm_cta *c = &sm->cta[sm->age[i]];
      uint32_t end = c->first_shared + c->shared_bytes;
      if (base >= end || base + bytes <= c->first_shared) continue;
      base = end;
      moved = true;
    }
  }
  return base + bytes <= sm->room.shared_bytes ? base : UINT32_MAX;
}

/* Free slots, where each warp has a slot of its own; none where warps take turns (seats.c). */
static uint64_t free_warps(const struct sm *sm) {
  if (sm->seats) return 0;
  uint64_t taken = 0, all = UINT64_MAX >> (64 - sm->room.warps);
  for (uint32_t i = 0; i < sm->n_ctas; i++) taken |= sm->slots[sm->age[i]];
  return all & ~taken;
}

/* One by one: whether another warp may have a slot. */
static bool may_start_warp(const struct sm *sm, uint64_t free) {
  uint32_t held = sm->room.warps - (uint32_t)__builtin_popcountll(free);
  return free && sm->ops->warp_may_start(sm->system, held);
}

bool sm_can_take_cta(const struct sm *sm) {
  if (sm->by_warps)
    return sm->n_ctas < sm->room.ctas && !sm->faulted && !sm->unstarted && may_start_warp(sm, free_warps(sm)) &&
           find_slice(sm, slice_bytes(sm)) != UINT32_MAX;
  uint32_t warps = sm->seats ? sm_free_contexts(sm) : (uint32_t)__builtin_popcountll(free_warps(sm));
  return sm->n_ctas < sm->launch.ctas_per_sm && !sm->faulted && warps >= sm->launch.warps_per_cta &&
         find_slice(sm, slice_bytes(sm)) != UINT32_MAX &&
         (!sm->contexts || !sm->contexts->cta_may_come || sm->contexts->cta_may_come(sm->system));
}

static struct sm_warp *begin_warp(struct sm *sm, uint32_t slot, uint32_t number, uint32_t index) {
  const struct ptx_kernel *k = sm->launch.kernel;
  struct sm_cta *c = &sm->cta[slot];
  struct sm_warp *warp = c->warp[index] = &sm->context[number];
  warp->number = (uint8_t)number;
  warp->slot = SM_NO_SLOT;
  warp->f.rows = sm->rows + (size_t)number * k->n_rows * WARP_LANES;
  warp->f.local = sm->local + (size_t)number * k->local_bytes * WARP_LANES;
  warp->f.consts = k->const_rows;
  warp->ready = sm->registers + (size_t)number * k->n_registers;
  if (k->n_registers) memset(warp->ready, 0, k->n_registers * sizeof *warp->ready);
  ptx_warp_start(&warp->f, &c->f, index);
  warp->cta = (uint8_t)slot;
  warp->rest = 0;
  /* assumption: the first fetch takes as long as the one after a branch */
  warp->fetch = *sm->now + sm->latency[PTX_BRANCH];
  warp->wake = 0;
  warp->op = sm->kernel_ops;
  memset(warp->copies, 0, sizeof warp->copies);
  warp->loads = 0;
  warp->exited = false;
  return warp;
}

/* In slot `w`, with the context of that number. */
static void start_in(struct sm *sm, uint32_t slot, uint32_t w, uint32_t index) {
  struct sm_warp *warp = begin_warp(sm, slot, w, index);
  sm->warp[w] = warp;
  warp->slot = (uint8_t)w;
  sm->slots[slot] |= warp_bit(w);
  sm->active |= warp_bit(w);
  if (sm->fetch.entries) sm_fetch_start(&sm->fetch, w);
  sm_schedule(sm, w);
}

/* A warp of a CTA that comes as a whole. */
static void start_next(struct sm *sm, uint32_t slot, uint64_t *free, uint32_t index) {
  uint32_t number = sm->seats ? sm_take_context(sm) : lowest(*free);
  if (sm->seats) begin_warp(sm, slot, number, index);
  else start_in(sm, slot, number, index);
  *free &= *free - 1;
  if (sm->contexts && sm->contexts->warp_comes) sm->contexts->warp_comes(sm->system, number);
}

/* Of the CTA whose warps have not all started, which is the youngest: those that may have a slot. */
static void start_unstarted(struct sm *sm, bool late) {
  uint32_t slot = sm->age[sm->n_ctas - 1];
  struct sm_cta *c = &sm->cta[slot];
  uint64_t free = free_warps(sm);
  while (c->unstarted && may_start_warp(sm, free)) {
    start_in(sm, slot, lowest(free), lowest(c->unstarted));
    c->unstarted &= c->unstarted - 1;
    free &= free - 1;
    if (sm->ops->warp_start)
      sm->ops->warp_start(sm->system, slot, sm->room.warps - (uint32_t)__builtin_popcountll(free), late);
  }
  sm->unstarted = c->unstarted != 0;
}

void sm_start_freed(struct sm *sm) {
  sm->freed_slot = false;
  sm->work++;
  if (sm->unstarted) start_unstarted(sm, true);
}

void sm_free_slot(struct sm *sm, struct sm_warp *warp) {
  sm->slots[warp->cta] &= ~warp_bit(warp->slot);
  sm->freed_slot = true;
  if (sm->seats) sm_leave_context(sm, warp);
  if (!sm->contexts || !sm->contexts->warp_gone) return;
  sm->contexts->warp_gone(sm->system, warp->number);
  sm->system_called = true;
}

void sm_start_cta(struct sm *sm, uint64_t index) {
  const struct launch *l = &sm->launch;
  uint64_t free = free_warps(sm);
  uint32_t slot = 0, base = find_slice(sm, slice_bytes(sm));
  while (sm->cta[slot].resident) slot++;
  struct sm_cta *c = &sm->cta[slot];
  *c = (struct sm_cta){.resident = true, .index = index, .first_shared = base, .shared_bytes = slice_bytes(sm)};
  c->f = (struct ptx_cta){.kernel = l->kernel,
                          .memory = sm->device_memory,
                          .shared = sm->shared + base,
                          .shared_bytes = l->kernel->shared_bytes + l->dynamic_shared_bytes,
                          .shared_base = base,
                          .params = l->params,
                          .sm = sm->index,
                          .n_sms = (uint32_t)sm->config->sm_count};
  memcpy(c->f.grid, l->grid, sizeof l->grid);
  memcpy(c->f.block, l->block, sizeof l->block);
  c->f.index[0] = (uint32_t)(index % l->grid[0]);
  c->f.index[1] = (uint32_t)(index / l->grid[0] % l->grid[1]);
  c->f.index[2] = (uint32_t)(index / l->grid[0] / l->grid[1]);
  sm->slots[slot] = 0;
  sm->age[sm->n_ctas++] = (uint8_t)slot;
  c->live = UINT32_MAX >> (SM_CTA_WARPS - l->warps_per_cta);
  if (sm->by_warps) {
    c->unstarted = c->live;
    start_unstarted(sm, false);
  } else {
    for (uint32_t i = 0; i < l->warps_per_cta; i++) start_next(sm, slot, &free, i);
  }
  sm->next = *sm->now;
  if (sm->events) sm_events_cta_start(sm, slot);
  if (sm->ops && sm->ops->cta_start) {
    sm->ops->cta_start(sm->system, slot, index, sm->slots[slot], base, c->shared_bytes);
    sm->system_called = true;
  }
}

/* ---- barriers ---- */

static void barrier_result(struct sm *sm, const struct sm_cta *c, struct sm_warp *warp, uint32_t id) {
  ptx_barrier_result(warp->op, &warp->f, c->lanes_of[warp->f.index], c->votes[id], c->voters[id]);
  if (sm->contexts && sm->contexts->executed)
    sm->contexts->executed(sm->system, warp->number, warp->op, &warp->f, false);
}

/* An exited warp counts as arrived at a barrier of the whole CTA. */
static void review_barrier(struct sm *sm, struct sm_cta *c, uint32_t id) {
  uint32_t arrived = c->arrived[id];
  bool full = c->wanted[id] ? (uint32_t)__builtin_popcount(arrived) >= c->wanted[id] : !(c->live & ~arrived);
  if (!full) return;
  c->arrived[id] = 0;
  if (sm->launch.kernel->n_tiles) sm_tile_barrier(sm, (uint32_t)(c - sm->cta));
  if (sm->events) sm_events_barrier(sm, (uint32_t)(c - sm->cta), id);
  c->open_barriers &= ~(1u << id);
  for (uint32_t rest = arrived & c->waits & c->live; rest; rest &= rest - 1) {
    uint32_t i = lowest(rest);
    struct sm_warp *warp = c->warp[i];
    if (c->barrier_of[i] != id) continue; /* only arrived here, waits at another barrier */
    c->waits &= ~(1u << i);
    if (ptx_barrier_reduces(warp->op)) barrier_result(sm, c, warp, id);
    warp->fetch = *sm->now + sm->latency[PTX_BARRIER];
    if (warp->slot == SM_NO_SLOT) continue;
    sm->at_barrier &= ~warp_bit(warp->slot);
    sm_schedule(sm, warp->slot);
  }
  c->votes[id] = c->voters[id] = 0;
}

void sm_barrier_arrive(struct sm *sm, uint32_t w, uint32_t mask, struct ptx_barrier b) {
  struct sm_warp *warp = sm->warp[w];
  struct sm_cta *c = &sm->cta[warp->cta];
  const struct ptx_op *op = warp->op; /* the barrier: a warp that waits is not scheduled yet */
  uint32_t i = warp->f.index;
  if (!b.arrive_only && ptx_barrier_reduces(op)) {
    c->votes[b.id] += ptx_barrier_votes(op, &warp->f, mask);
    c->voters[b.id] += (uint32_t)__builtin_popcount(mask);
    c->lanes_of[i] = mask;
  }
  sm->counters.barriers++;
  if (sm->events && !c->arrived[b.id]) sm_events_arrival(sm, warp->cta, b.id);
  c->open_barriers |= 1u << b.id;
  c->arrived[b.id] |= 1u << i;
  c->wanted[b.id] = (b.threads + 31) / 32;
  if (!b.arrive_only) {
    sm->at_barrier |= warp_bit(w);
    c->waits |= 1u << i;
    c->barrier_of[i] = (uint8_t)b.id;
    if (sm->contexts && sm->contexts->barrier) {
      sm->contexts->barrier(sm->system, warp->number, b.threads, warp->f.depth);
      sm->system_called = true;
    }
  }
  review_barrier(sm, c, b.id);
}

/* ---- end ---- */

void sm_warp_exit(struct sm *sm, uint32_t w) {
  struct sm_warp *warp = sm->warp[w];
  uint32_t slot = warp->cta;
  struct sm_cta *c = &sm->cta[slot];
  c->live &= ~(1u << warp->f.index);
  sm->active &= ~warp_bit(w);
  sm->unit[warp->unit] &= ~warp_bit(w);
  warp->unit = UNIT_NONE;
  if (sm->fetch.entries) sm_fetch_exit(&sm->fetch, w);
  if (!c->live) sm->draining |= 1u << slot;
  if (sm->frees_slots) {
    warp->exited = true;
    if (!warp->loads) sm_free_slot(sm, warp);
  }
  for (uint32_t rest = c->open_barriers; rest; rest &= rest - 1) review_barrier(sm, c, (uint32_t)__builtin_ctz(rest));
  if (sm->ops && sm->ops->warp_exit) {
    sm->ops->warp_exit(sm->system, slot, w);
    sm->system_called = true;
  }
}

bool sm_retire_ctas(struct sm *sm) {
  sm->n_ended = 0;
  for (uint32_t rest = sm->draining; rest; rest &= rest - 1) {
    uint32_t slot = (uint32_t)__builtin_ctz(rest), i = 0;
    struct sm_cta *c = &sm->cta[slot];
    if (c->loads) continue;
    if (sm->ops && sm->ops->cta_may_retire && !sm->ops->cta_may_retire(sm->system, slot)) continue;
    if (sm->launch.kernel->n_tiles) sm_tile_cta_end(sm, slot);
    if (sm->events) sm_events_cta_end(sm, slot);
    while (sm->age[i] != slot) i++;
    memmove(&sm->age[i], &sm->age[i + 1], sm->n_ctas - i - 1);
    sm->n_ctas--;
    sm->counters.finish_cycles += *sm->now + 1 - sm->finish_mark;
    sm->finish_mark = *sm->now + 1;
    c->resident = false;
    sm->draining &= ~(1u << slot);
    sm->counters.ctas++;
    sm->ended[sm->n_ended++] = c->index;
    if (sm->ops && sm->ops->cta_end) {
      sm->ops->cta_end(sm->system, slot);
      sm->system_called = true;
    }
  }
  sm->cta_ended = sm->n_ended;
  return sm->cta_ended;
}
