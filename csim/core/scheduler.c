/* SPDX-License-Identifier: Apache-2.0 */
/* Scheduling policies. A warp's number determines its scheduler; a policy chooses among the scheduler's warps that can
 * issue. */
#include "core/sm_state.h"

/* Loose round-robin: the next warp number after the one issued last. */
static uint32_t pick_rr(const struct sm *sm, uint32_t s, uint64_t candidates) {
  uint32_t last = sm->scheduler[s].last;
  uint64_t after = last + 1 < SM_WARPS ? candidates >> (last + 1) << (last + 1) : 0;
  return lowest(after ? after : candidates);
}

/* Greedy-then-oldest: the warp issued last while it can issue, else a warp of the oldest CTA (assumption: among the
 * warps of a CTA, which have one age, the lowest number). */
static uint32_t pick_gto(const struct sm *sm, uint32_t s, uint64_t candidates) {
  uint32_t last = sm->scheduler[s].last;
  if (candidates >> last & 1) return last;
  for (uint32_t i = 0; i < sm->n_ctas; i++) {
    uint64_t of_cta = candidates & sm->slots[sm->age[i]];
    if (of_cta) return lowest(of_cta);
  }
  return lowest(candidates);
}

#define X(id, name) [id] = {#name, pick_##name},
const struct sm_policy sm_policies[] = {WARP_SCHEDULERS(X)};
#undef X
