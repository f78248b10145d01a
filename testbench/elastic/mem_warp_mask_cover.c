/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "mem_warp_mask_ports.h"

BLOCK_COVER(mem_warp_mask) {
  uint64_t masked = in->warp_ready & ~out->warp_ready_masked;
  bool counts = cfg->MODE != 3;
  uint32_t most = (uint32_t)cover_ones((uint32_t)cfg->DW);
  POINT_IF(counts || cfg->K > 1, "a ready warp is masked", masked);
  POINT_IF(counts, "memory warps are masked, and another may issue",
           masked & in->warp_is_mem && out->warp_ready_masked);
  POINT("nothing is masked", in->warp_ready && !masked);
  POINT("a memory warp issues", in->sched_valid && in->sched_is_shmem);
  POINT("another warp issues", in->sched_valid && !in->sched_is_shmem);
  POINT_IF(cfg->K > 1, "slots are running while the front end is frozen", in->stall && regs->slot_q);
  POINT_IF(cfg->K > 1, "the last slot", regs->slot_q == 1);
  POINT_IF(counts, "the counter runs while the front end is frozen", in->stall && regs->cnt_q);
  POINT_IF(counts, "a degree arrives while the counter runs", in->lk_valid_q && regs->cnt_q);
  POINT_IF(counts, "a degree of 0 arrives", in->lk_valid_q && !in->lk_degree);
  POINT_IF(counts, "the largest degree arrives", in->lk_valid_q && in->lk_degree == most);
  POINT_IF(counts, "the counter is at its largest", regs->cnt_q == most);
  POINT_IF(counts && cfg->K > 1, "hold runs on after the slots", regs->hold_q && !regs->slot_q);
  POINT("a flush beside an issue and an answer", in->flush && in->sched_valid && in->lk_valid_q);
  POINT("a flush in the midst of it", in->flush && out->busy);
  POINT("an answer beside an issue", in->lk_valid_q && in->sched_valid && !in->flush);
}
