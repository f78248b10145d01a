/* SPDX-License-Identifier: Apache-2.0 */
#include "core/lines.h"

#include "core/sm_state.h"

#include <stdlib.h>
#include <string.h>

void sm_record_lines(struct sm *sm) { sm->counts_lines = true; }

const struct line_count *sm_line_counts(const struct sm *sm) { return sm->lines; }

int sm_lines_launch(struct sm *sm, struct err *e) {
  if (!sm->counts_lines) return 0;
  uint32_t n = sm->launch.kernel->n_ops + 1;
  free(sm->lines);
  sm->lines = calloc(n, sizeof *sm->lines);
  sm->line = &sm->lines[n - 1];
  return sm->lines ? 0 : err_set(e, ERR_LIMIT, "%s: the host has no memory left to count by line", sm->path);
}

uint32_t sm_oldest_of(const struct sm *sm, uint64_t warps) {
  for (uint32_t i = 0; warps && i < sm->n_ctas; i++) {
    uint64_t own = sm->slots[sm->age[i]] & warps;
    if (own) return lowest(own);
  }
  return SM_NONE;
}

uint32_t sm_next_pc(const struct sm *sm, uint32_t w) {
  return w == SM_NONE ? sm->launch.kernel->n_ops : (uint32_t)(sm->warp[w]->op - sm->kernel_ops);
}

void sm_lines_cycle(struct sm *sm) {
  uint32_t pc = sm->stall == STALL_NONE ? sm->issued_pc : sm->pipeline->waits_at(sm);
  sm->line = &sm->lines[pc];
}
