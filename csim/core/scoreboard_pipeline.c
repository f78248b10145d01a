/* SPDX-License-Identifier: Apache-2.0 */
/* The pipeline with a scoreboard: a warp issues when its operands are ready, with earlier operations still in
 * flight. */
#include "core/sm_state.h"

static uint32_t of_proposal(const struct sm *sm) {
  return sm->hooks->stall ? sm->hooks->stall(sm->system) : STALL_PROPOSAL;
}

static uint32_t classify(const struct sm *sm) {
  if (sm->issued) return STALL_NONE;
  if (sm->ready & sm->fetch.decoded & ~sm->was_blocked) return STALL_STRUCTURAL;
  if (sm->waiting[WAIT_MEMORY] | sm->waiting[WAIT_TILE]) return STALL_MEMORY;
  if (sm->waiting[WAIT_SHARED]) return STALL_SHARED;
  if (sm->was_blocked | sm->collecting) return of_proposal(sm);
  if (sm->active) return sm->active == sm->at_barrier ? STALL_BARRIER : STALL_DATA;
  if (sm->seats && sm->n_ctas > (uint32_t)__builtin_popcount(sm->draining)) return of_proposal(sm);
  for (uint32_t rest = sm->draining; rest; rest &= rest - 1)
    if (sm->cta[__builtin_ctz(rest)].loads) return STALL_MEMORY;
  return STALL_PROPOSAL; /* a CTA whose warps have exited waits for the proposal */
}

/* The warps that classify() found waiting. */
static uint64_t waiters(const struct sm *sm) {
  if (sm->stall >= STALLS_OWN) return sm->was_blocked | sm->collecting;
  switch (sm->stall) {
    case STALL_STRUCTURAL: return sm->ready & sm->fetch.decoded & ~sm->was_blocked;
    case STALL_MEMORY: return sm->waiting[WAIT_MEMORY] | sm->waiting[WAIT_TILE];
    case STALL_SHARED: return sm->waiting[WAIT_SHARED];
    case STALL_PROPOSAL: return sm->was_blocked;
    case STALL_BARRIER: return sm->at_barrier;
    default: return sm->active & ~sm->at_barrier;
  }
}

static uint32_t waits_at(const struct sm *sm) { return sm_next_pc(sm, sm_oldest_of(sm, waiters(sm))); }

static void scoreboard_cycle(struct sm *sm) {
  sm_finish_shared(sm);
  sm_take_reply(sm);
  sm_wake_warps(sm);
  sm_lsu_cycle(sm);
  sm_issue(sm);
}

static void scoreboard_access(struct sm *sm, uint32_t w, const struct ptx_op *op, const struct ptx_access *a) {
  sm_lsu_push(sm, w, op, a);
}

/* A warp that waits for one of the registers is scheduled again. */
static void scoreboard_loaded(struct sm *sm, uint32_t w, uint64_t cycle, bool async) {
  (void)cycle, (void)async;
  if (!(sm->parked & warp_bit(w))) return;
  sm_unschedule(sm, w);
  sm_schedule(sm, w);
}

const struct sm_pipeline sm_scoreboard_pipeline = {.name = "scoreboard",
                                                   .cycle = scoreboard_cycle,
                                                   .classify = classify,
                                                   .waits_at = waits_at,
                                                   .perform = sm_perform,
                                                   .access = scoreboard_access,
                                                   .loaded = scoreboard_loaded};
