/* SPDX-License-Identifier: Apache-2.0 */
/* State of the SM for waves. The manifest's probe `sm_state` generates the structure; without the generated header
 * (stand-alone builds of this folder) there is nothing to show. */
#include "block/probe.h"
#include "core/sm_state.h"

#if __has_include("sm_state_probe.h")
#include "sm_state_probe.h"

static void fill(const void *source, void *values) {
  const struct sm *sm = source;
  struct sm_state_probe *p = values;
  p->active_warps = (uint8_t)__builtin_popcountll(sm->active);
  p->ready_warps = (uint8_t)__builtin_popcountll(sm->ready & ~sm->was_blocked);
  p->stall = (uint8_t)sm->stall;
  p->outstanding_misses = (uint16_t)sm_mshrs_used(sm);
  p->lsu_queue = (uint8_t)sm->lsu_queue.count;
  p->issued = sm->issued;
  p->issued_warp = sm->issued_warp;
  p->issued_pc = sm->issued_pc;
  p->resident_ctas = (uint8_t)sm->n_ctas;
}

int sm_wave_register(struct sm *sm, struct probe_sink *probes, struct err *e) {
  return probes->add(probes, &sm_state_probe, sm->path, fill, sm, e);
}
#else
int sm_wave_register(struct sm *sm, struct probe_sink *probes, struct err *e) {
  (void)sm, (void)probes, (void)e;
  return 0;
}
#endif
