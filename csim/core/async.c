/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of asynchronous copies (cp.async): each warp counts its copies in flight, which decides when its waits end. */
#include "core/sm_state.h"

enum { OLDEST = PTX_ASYNC_GROUPS + 1 };

/* Register N of the kernel's async registers waits for the copies of groups older than the N committed last. */
static void review(struct sm *sm, struct sm_warp *warp, uint64_t cycle) {
  ready_time *ready = warp->ready + sm->launch.kernel->async_register;
  uint32_t copies = 0;
  for (uint32_t n = PTX_ASYNC_GROUPS; n-- > 0;) {
    if (n + 1 == PTX_ASYNC_GROUPS) copies = warp->copies[OLDEST];
    copies += warp->copies[n + 1];
    if (copies) ready[n] = ready_at(READY_NEVER, WAIT_MEMORY);
    else if (ready_cycle(ready[n]) >= READY_NEVER) ready[n] = ready_at(cycle, WAIT_MEMORY);
  }
  copies += warp->copies[0];
  if (copies) ready[PTX_ASYNC_GROUPS] = ready_at(READY_NEVER, WAIT_MEMORY);
  else if (ready_cycle(ready[PTX_ASYNC_GROUPS]) >= READY_NEVER) ready[PTX_ASYNC_GROUPS] = ready_at(cycle, WAIT_MEMORY);
}

void sm_copy_begins(struct sm *sm, struct sm_warp *warp) {
  warp->copies[0]++;
  review(sm, warp, *sm->now);
}

void sm_copy_ends(struct sm *sm, struct sm_warp *warp, uint32_t group, uint64_t cycle) {
  uint32_t age = warp->group - group;
  uint16_t *copies = &warp->copies[age < OLDEST ? age : OLDEST];
  invariant(*copies > 0, "%s: warp %u ends a copy of a group that has none", sm->path, warp->slot);
  --*copies;
  review(sm, warp, cycle);
}

void sm_commit_group(struct sm *sm, uint32_t w) {
  struct sm_warp *warp = sm->warp[w];
  uint16_t *copies = warp->copies;
  copies[OLDEST] = (uint16_t)(copies[OLDEST] + copies[OLDEST - 1]);
  for (uint32_t i = OLDEST - 1; i > 0; i--) copies[i] = copies[i - 1];
  copies[0] = 0;
  warp->group++;
  review(sm, warp, *sm->now);
}
