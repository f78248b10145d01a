/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that are issued and wait until the proposal has their operands (core/contexts.h), and the conditions that a proposal is told. */
#include "core/sm_state.h"

static void hold(struct sm *sm, uint32_t w) {
  const struct sm_warp *warp = sm->warp[w];
  uint64_t closed = *sm->now + 1, *unit_free = &sm->unit_free[warp->unit];
  sm->collecting |= warp_bit(w);
  sm->system_called = true;
  if (warp->unit == UNIT_MEMORY) {
    sm->collecting_memory |= warp_bit(w);
    sm->memory_issued = true;
  } else if ((warp->unit == UNIT_SFU || warp->unit == UNIT_F64) && *unit_free < closed) {
    *unit_free = closed;
  }
}

bool sm_collect(struct sm *sm, uint32_t w) {
  const struct context_hooks *c = sm->contexts;
  if ((sm->collected & warp_bit(w)) || !sm->warp[w]->op->issue_slots) return false;
  if (!c->operands || c->operands(sm->system, sm->warp[w]->number, sm->warp[w]->op)) return false;
  hold(sm, w);
  return true;
}

bool sm_collect_shared(struct sm *sm, uint32_t w, const struct ptx_access *a) {
  const struct context_hooks *c = sm->contexts;
  if (a->space != PTX_SHARED || !c->shared || c->shared(sm->system, sm->warp[w]->number, a)) return false;
  hold(sm, w);
  return true;
}

void sm_note_condition(struct sm *sm, uint64_t cycles) {
  struct sm_condition c = {.issued = sm->stall == STALL_NONE, .structural = sm->stall == STALL_STRUCTURAL};
  uint64_t run = sm->active & ~sm->at_barrier & ~sm->was_blocked;
  uint64_t wait = sm->waiting[WAIT_MEMORY] | sm->waiting[WAIT_TILE] | sm->collecting;
  c.warps = (uint32_t)__builtin_popcountll(run);
  c.memory = run & (sm->waiting[WAIT_MEMORY] | sm->waiting[WAIT_TILE]);
  c.all_memory = (!c.issued && run && !(run & ~wait)) || sm->lsu_wait != LSU_RUNS;
  c.lsu_full = sm->lsu_queue.count >= sm->lsu_queue.size;
  for (uint32_t s = 0; s < sm->schedulers; s++) c.idle += sm->scheduler[s].slot == SLOT_NONE;
  sm->ops->ran(sm->system, &c, cycles);
}
