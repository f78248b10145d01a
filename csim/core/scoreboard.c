/* SPDX-License-Identifier: Apache-2.0 */
/* The scoreboard decides when a warp may issue its next operation. A fixed-latency result is recorded as the cycle in
 * which it is ready, so no event is needed; a warp stays in a timing wheel until its last operand is ready. */
#include "core/sm_state.h"
#include "core/steps.h"

static const uint8_t unit_of_class[PTX_CLASSES] = {
  [PTX_NOP] = UNIT_NONE,     [PTX_INT] = UNIT_ALU,       [PTX_INT64] = UNIT_ALU,
  [PTX_F32] = UNIT_ALU,      [PTX_F64] = UNIT_F64,       [PTX_SFU] = UNIT_SFU,
  [PTX_DIV] = UNIT_SFU,      [PTX_BRANCH] = UNIT_NONE,   [PTX_EXIT] = UNIT_NONE,
  [PTX_LOAD] = UNIT_MEMORY,  [PTX_STORE] = UNIT_MEMORY,  [PTX_ATOMIC] = UNIT_MEMORY,
  [PTX_BARRIER] = UNIT_NONE, [PTX_FENCE] = UNIT_NONE,    [PTX_EXTENSION] = UNIT_EXTENSION,
  [PTX_ASYNC] = UNIT_NONE,   [PTX_MATRIX] = UNIT_MATRIX, [PTX_PHASE] = UNIT_NONE,
};

static ready_time operands_ready(const struct sm_warp *warp, const struct ptx_op *op) {
  ready_time t = 0;
  for (uint32_t i = 0; i < sizeof op->read_reg / sizeof op->read_reg[0] && op->read_reg[i] != PTX_NO_REG; i++)
    if (warp->ready[op->read_reg[i]] > t) t = warp->ready[op->read_reg[i]];
  for (uint32_t i = 0; i < sizeof op->write_reg / sizeof op->write_reg[0] && op->write_reg[i] != PTX_NO_REG; i++)
    if (warp->ready[op->write_reg[i]] > t) t = warp->ready[op->write_reg[i]];
  return t;
}

void sm_unschedule(struct sm *sm, uint32_t w) {
  uint64_t keep = ~warp_bit(w);
  if (sm->warp[w]->wake) {
    uint32_t slot = sm->warp[w]->wake % SM_WHEEL;
    if (sm->far & ~keep) { /* its cycle was beyond the wheel's horizon, so it sits in another slot */
      for (slot = 0; !(sm->wheel[slot] & ~keep);) slot++;
    }
    sm->wheel[slot] &= keep;
    if (!sm->wheel[slot]) sm->wheel_used &= ~(UINT64_C(1) << slot);
    sm->warp[w]->wake = 0;
  }
  sm->ready &= keep;
  sm->parked &= keep;
  sm->far &= keep;
  sm->fetching &= keep;
  for (uint32_t k = 0; k < WAIT_KINDS; k++) sm->waiting[k] &= keep;
}

static void into_wheel(struct sm *sm, uint32_t w, uint64_t cycle) {
  uint64_t horizon = *sm->now + SM_WHEEL - 1;
  sm->warp[w]->wake = cycle;
  if (cycle > horizon) {
    sm->far |= warp_bit(w);
    cycle = horizon;
  }
  sm->wheel[cycle % SM_WHEEL] |= warp_bit(w);
  sm->wheel_used |= UINT64_C(1) << cycle % SM_WHEEL;
}

static void note_fetch(struct sm *sm, uint32_t w, const struct ptx_op *next) {
  const struct ptx_op *last = sm->warp[w]->op;
  sm_fetch_advance(&sm->fetch, w, (uint32_t)(last - sm->kernel_ops), (uint32_t)(next - sm->kernel_ops),
                   last->issue_slots);
}

void sm_schedule(struct sm *sm, uint32_t w) {
  struct sm_warp *warp = sm->warp[w];
  const struct ptx_op *op = &sm->kernel_ops[ptx_warp_pc(&warp->f)];
  uint64_t bit = warp_bit(w);
  enum unit unit = unit_of_class[op->class];
  if (sm->in_flight & bit) return;
  if (sm->fetch.entries) note_fetch(sm, w, op);
  warp->op = op;
  if (unit != warp->unit) {
    sm->unit[warp->unit] &= ~bit;
    sm->unit[unit] |= bit;
    warp->unit = (uint8_t)unit;
  }
  if (sm->pipeline->fetched) sm->pipeline->fetched(sm, w, (uint32_t)(op - sm->kernel_ops));
  ready_time t = operands_ready(warp, op);
  bool fetches = ready_cycle(t) < warp->fetch;
  if (fetches) t = ready_at(warp->fetch, WAIT_DATA);
  if (ready_cycle(t) <= *sm->now) {
    sm->ready |= bit;
    return;
  }
  if (fetches) sm->fetching |= bit;
  sm->waiting[t & 3] |= bit;
  if (ready_cycle(t) >= READY_NEVER) sm->parked |= bit;
  else into_wheel(sm, w, ready_cycle(t));
}

void sm_wake_warps(struct sm *sm) {
  uint64_t now = *sm->now, due = sm->wheel[now % SM_WHEEL];
  if (!due) return;
  sm->wheel[now % SM_WHEEL] = 0;
  sm->wheel_used &= ~(UINT64_C(1) << now % SM_WHEEL);
  for (uint64_t rest = due & sm->far; rest; rest &= rest - 1) {
    uint32_t w = lowest(rest);
    sm->far &= ~warp_bit(w);
    if (sm->warp[w]->wake <= now) continue;
    due &= ~warp_bit(w);
    into_wheel(sm, w, sm->warp[w]->wake);
  }
  sm->ready |= due;
  sm->fetching &= ~due;
  for (uint32_t k = 0; k < WAIT_KINDS; k++) sm->waiting[k] &= ~due;
}

uint64_t sm_next_wake(const struct sm *sm) {
  if (!sm->wheel_used) return UINT64_MAX;
  uint32_t turn = (*sm->now + 1) % SM_WHEEL;
  uint64_t used = turn ? sm->wheel_used >> turn | sm->wheel_used << (SM_WHEEL - turn) : sm->wheel_used;
  return *sm->now + 1 + lowest(used);
}

void sm_set_ready(struct sm *sm, struct sm_warp *warp, const struct ptx_op *op, ready_time t) {
  for (uint32_t i = 0; i < sizeof op->write_reg / sizeof op->write_reg[0] && op->write_reg[i] != PTX_NO_REG; i++)
    warp->ready[op->write_reg[i]] = t;
  if (__builtin_expect(sm->steps != NULL, 0) && op->write_reg[0] != PTX_NO_REG && ready_cycle(t) != READY_NEVER)
    sm->steps->done(sm->steps->context, warp->slot, op, ready_cycle(t));
}
