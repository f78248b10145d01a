/* SPDX-License-Identifier: Apache-2.0 */
/* Describes an SM's state in words, for deadlock reports. */
#include "core/sm.h"
#include "core/sm_state.h"

#include <inttypes.h>

static const char *reason(const struct sm *sm, uint32_t w) {
  if (w == SM_NO_SLOT) return "has no slot";
  uint64_t bit = warp_bit(w);
  if (sm->at_barrier & bit) return "at a barrier";
  if (sm->was_blocked & bit) return "blocked by the proposal";
  if ((sm->waiting[WAIT_MEMORY] | sm->waiting[WAIT_TILE]) & bit) return "waits for memory";
  if (sm->waiting[WAIT_SHARED] & bit) return "waits for shared memory";
  if (sm->waiting[WAIT_DATA] & bit) return "waits for a result";
  if (sm->in_flight & bit) return "in the pipeline";
  return sm->ready & bit ? "ready" : "lost";
}

static void describe_warp(const struct sm *sm, const struct sm_warp *warp, FILE *out) {
  const char *text = ptx_op_text(sm->launch.kernel, (uint32_t)(warp->op - sm->kernel_ops));
  uint32_t pc = ptx_warp_pc(&warp->f), w = warp->number;
  const struct sm_cta *c = &sm->cta[warp->cta];
  if (c->waits >> warp->f.index & 1) { /* its PC has moved on */
    fprintf(out, "    warp %u of the CTA (hardware warp %u), lanes 0x%08x: at barrier %u, then line %u\n",
            warp->f.index, w, ptx_warp_mask(&warp->f), c->barrier_of[warp->f.index], sm->kernel_ops[pc].line);
    return;
  }
  while (*text == ' ' || *text == '\t') text++;
  fprintf(out, "    warp %u of the CTA (hardware warp %u), lanes 0x%08x: %s, line %u: %s\n", warp->f.index, w,
          ptx_warp_mask(&warp->f), reason(sm, warp->slot), warp->op->line, text);
}

static void describe_mshrs(const struct cache *c, const char *name, FILE *out) {
  for (uint32_t m = 0; m < c->mshrs; m++)
    if (c->mshr[m].kind != MSHR_FREE)
      fprintf(out, "  MSHR %u of %s: line 0x%" PRIx64 ", %s\n", m, name, c->mshr[m].line,
              c->mshr[m].kind == MSHR_LINE     ? "load"
              : c->mshr[m].kind == MSHR_ATOMIC ? "atomic"
                                               : "system");
}

void sm_describe(const struct sm *sm, FILE *out) {
  static const char *const names[SM_CACHES] = {"L1", "the constant cache", "the texture cache"};
  if (sm_idle(sm)) return;
  fprintf(out, "%s: %u CTAs, %u memory instructions queued%s, %u of %u MSHRs in use\n", sm->path, sm->n_ctas,
          sm->lsu_queue.count,
          sm->lsu_wait == LSU_WAITS_MSHR   ? " (the first waits for an MSHR)"
          : sm->lsu_wait == LSU_WAITS_PORT ? " (the first waits for the interconnect)"
                                           : "",
          sm_mshrs_used(sm), sm->cache[CACHE_L1].mshrs + sm->cache[CACHE_CONST].mshrs + sm->cache[CACHE_TEXTURE].mshrs);
  for (uint32_t i = 0; i < sm->n_ctas; i++) {
    const struct sm_cta *c = &sm->cta[sm->age[i]];
    fprintf(out, "  CTA (%u,%u,%u) in slot %u, %d of %u warps live%s\n", c->f.index[0], c->f.index[1], c->f.index[2],
            sm->age[i], __builtin_popcount(c->live), sm->launch.warps_per_cta,
            c->live ? "" : ": ended, but something of it is in flight");
    for (uint32_t rest = c->live & ~c->unstarted; rest; rest &= rest - 1) describe_warp(sm, c->warp[lowest(rest)], out);
  }
  for (uint32_t i = 0; i < SM_CACHES; i++) describe_mshrs(&sm->cache[i], names[i], out);
  if (sm->ops && sm->ops->describe) sm->ops->describe(sm->system, out);
}
