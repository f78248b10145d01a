/* SPDX-License-Identifier: Apache-2.0 */
/* Mask of the warps that the scheduler may issue (Gou & Gaydadjiev 2011, sections 3.2 and 4.2): slots close after an
 * issue; memory warps stay masked while the counter of the last shared memory instruction runs. Slots are counted
 * twice: after every issue (slot) and after shared memory instructions only (hold), so that issues of other warps do
 * not stop the counter. */
#include "block/block.h"
#include "mem_warp_mask_ports.h"

struct mem_warp_mask_state {
  uint8_t slot, hold, cnt;
};

static void mem_warp_mask_reset(const struct mem_warp_mask_cfg *cfg, struct mem_warp_mask_state *s) {
  (void)cfg;
  *s = (struct mem_warp_mask_state){0};
}

/* The counter with the history's answer of this cycle. */
static inline uint32_t answered(const struct mem_warp_mask_cfg *cfg, const struct mem_warp_mask_state *s,
                                const struct mem_warp_mask_in *in) {
  uint32_t limit = (1U << cfg->DW) - 1;
  if (!in->lk_valid_q) return s->cnt;
  if (cfg->MODE == 1) return in->lk_degree;
  uint32_t total = (uint32_t)s->cnt + in->lk_degree;
  return total < limit ? total : limit;
}

static void mem_warp_mask_eval(const struct mem_warp_mask_cfg *cfg, const struct mem_warp_mask_state *s,
                               const struct mem_warp_mask_in *in, struct mem_warp_mask_out *out) {
  uint32_t seen = cfg->MODE == 3 ? 0 : cfg->K == 1 ? answered(cfg, s, in) : s->cnt;
  uint64_t others = in->warp_ready & ~in->warp_is_mem;
  bool only_others = seen != 0 && (cfg->MODE == 1 || others);
  out->warp_ready_masked = s->slot ? 0 : only_others ? others : in->warp_ready;
  out->cnt = s->cnt;
  out->busy = (s->slot | s->hold | s->cnt) != 0;
}

static void mem_warp_mask_tick(const struct mem_warp_mask_cfg *cfg, struct mem_warp_mask_state *s,
                               const struct mem_warp_mask_in *in, const struct mem_warp_mask_out *out) {
  (void)out;
  uint32_t run = !in->stall, cnt = answered(cfg, s, in), slots = (uint32_t)cfg->K - 1;
  cnt -= run & (s->hold == 0) & (cnt != 0) & (cfg->K == 1 || !in->lk_valid_q);
  uint32_t slot = s->slot - (run & (s->slot != 0)), hold = s->hold - (run & (s->hold != 0));
  if (in->sched_valid) slot = slots;
  if (in->sched_valid && in->sched_is_shmem) hold = slots;
  uint32_t keep = in->flush ? 0 : UINT32_MAX;
  s->slot = (uint8_t)(slot & keep);
  if (cfg->MODE == 3) return;
  s->hold = (uint8_t)(hold & keep);
  s->cnt = (uint8_t)(cnt & keep);
}

#include "mem_warp_mask_model.inc"
