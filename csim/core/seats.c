/* SPDX-License-Identifier: Apache-2.0 */
/* Slots of an SM with more contexts of warps than slots: a warp issues while it has a slot, and is nowhere in the SM's masks while it has
 * none. What it waits for is kept: registers of loads by its scoreboard, a barrier by its CTA. assumption: a slot changes hands within a
 * cycle; what it costs to bring a warp's state from memory is the proposal's. */
#include "core/sm_state.h"

#include <string.h>

void sm_clear_seats(struct sm *sm) {
  sm->seated = 0;
  memset(sm->contexts_taken, 0, sizeof sm->contexts_taken);
}

uint32_t sm_free_contexts(const struct sm *sm) {
  uint32_t taken = 0;
  for (uint32_t i = 0; i < SM_CONTEXTS / 64; i++) taken += (uint32_t)__builtin_popcountll(sm->contexts_taken[i]);
  return sm->room.warps - taken;
}

uint32_t sm_take_context(struct sm *sm) {
  for (uint32_t n = 0; n < sm->room.warps; n++) {
    if (sm->contexts_taken[n / 64] >> n % 64 & 1) continue;
    sm->contexts_taken[n / 64] |= warp_bit(n % 64);
    return n;
  }
  invariant(false, "%s: a CTA comes for whose warps there are no contexts", sm->path);
  return 0;
}

/* It goes on with its next operation. */
uint32_t sm_seat(struct sm *sm, uint32_t number) {
  struct sm_warp *warp = &sm->context[number];
  if (sm->seated == UINT64_MAX) return SM_NO_WARP;
  uint32_t w = lowest(~sm->seated);
  invariant(!(sm->cta[warp->cta].waits >> warp->f.index & 1), "%s: a warp at a barrier is to have a slot", sm->path);
  invariant(!((sm->ready | sm->parked | sm->far | sm->at_barrier | sm->active) & warp_bit(w)),
            "%s: slot %u has something of the warp that had it", sm->path, w);
  sm->seated |= warp_bit(w);
  sm->slots[warp->cta] |= warp_bit(w);
  sm->active |= warp_bit(w);
  sm->warp[w] = warp;
  warp->slot = (uint8_t)w;
  if (sm->fetch.entries) sm_fetch_start(&sm->fetch, w);
  sm_schedule(sm, w);
  return w;
}

void sm_unseat(struct sm *sm, uint32_t w) {
  struct sm_warp *warp = sm->warp[w];
  uint64_t bit = warp_bit(w);
  invariant(!(sm->collecting & bit) && !warp->exited, "%s: warp %u is to lose its slot while it has an operation",
            sm->path, w);
  sm_unschedule(sm, w);
  sm->unit[warp->unit] &= ~bit;
  warp->unit = UNIT_NONE;
  if (sm->fetch.entries) sm_fetch_exit(&sm->fetch, w);
  sm->at_barrier &= ~bit, sm->was_blocked &= ~bit, sm->active &= ~bit, sm->seated &= ~bit;
  sm->slots[warp->cta] &= ~bit;
  warp->slot = SM_NO_SLOT;
}

void sm_leave_context(struct sm *sm, struct sm_warp *warp) {
  sm->seated &= ~warp_bit(warp->slot);
  sm->contexts_taken[warp->number / 64] &= ~warp_bit(warp->number % 64);
}
