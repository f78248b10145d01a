/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "coordinator_ports.h"

enum { WORDS = sizeof((struct coordinator_regs){0}.slot_q) / sizeof(uint32_t) };

static bool any(const uint32_t *warps) {
  for (uint32_t i = 0; i < WORDS; i++)
    if (warps[i]) return true;
  return false;
}
static bool leaves(const uint32_t *was, const uint32_t *is, const uint32_t *among) {
  for (uint32_t i = 0; i < WORDS; i++)
    if (was[i] & ~is[i] & among[i]) return true;
  return false;
}

BLOCK_COVER(coordinator) {
  uint32_t kind = in->ev_kind, gives = out->cmd_valid && in->cmd_ready, set = out->cmd_kind;
  bool step = FOLLOWS && regs->step_q != was_regs->step_q;
  POINT("a warp starts", in->ev_valid && out->ev_ready && kind == 0);
  POINT("a phase begins", in->ev_valid && out->ev_ready && kind == 1);
  POINT("a barrier is reached", in->ev_valid && out->ev_ready && kind == 2);
  POINT("a warp ends", in->ev_valid && out->ev_ready && kind == 3);
  POINT("an event waits", in->ev_valid && !out->ev_ready);
  POINT("a block can come", out->blk_req);
  POINT("a block cannot come", in->blk_warps && !out->blk_req && !out->busy);
  POINT("registers are mapped", gives && out->cmd_op == 0 && set == 0);
  POINT("scratchpad is mapped", gives && out->cmd_op == 0 && set == 1);
  POINT("a slot is mapped", gives && out->cmd_op == 0 && set == 2);
  POINT("registers are released", gives && out->cmd_op == 1 && set == 0);
  POINT("scratchpad is released", gives && out->cmd_op == 1 && set == 1);
  POINT("registers come back", gives && out->cmd_op == 2 && set == 0);
  POINT("scratchpad comes back", gives && out->cmd_op == 2 && set == 1);
  POINT("the state of a warp comes back", gives && out->cmd_op == 2 && set == 2);
  POINT("the state of a warp is spilled", gives && out->cmd_op == 3);
  POINT("registers of others are spilled",
        FOLLOWS && step && regs->step_q == 5 && regs->swap_regs_q > was_regs->swap_regs_q);
  POINT("scratchpad of others is spilled",
        FOLLOWS && step && regs->step_q == 5 && regs->swap_scratch_q > was_regs->swap_scratch_q);
  POINT("every missing set is spilled",
        FOLLOWS && step && regs->step_q == 5 && !was_regs->free_regs_q && regs->swap_regs_q > was_regs->swap_regs_q);
  POINT("warps at a barrier fill the floor", in->floor_held && regs->step_q == 4 && regs->sched_n_q &&
                                               regs->sched_n_q < (uint32_t)cfg->FLOOR &&
                                               regs->sched_n_q + regs->barrier_n_q >= (uint32_t)cfg->FLOOR);
  POINT("a command waits", out->cmd_valid && !in->cmd_ready);
  POINT("an event waits for the executor", !regs->step_q && regs->events_q && !out->cmd_valid && in->exec_busy);
  POINT("needs are forced", step && regs->step_q == 5 && was_regs->pass_q == 3);
  POINT("a warp takes from the queue of registers", step && regs->step_q == 5 && was_regs->pass_q == 0);
  POINT("a warp takes from the queue of scratchpad", step && regs->step_q == 5 && was_regs->pass_q == 1);
  POINT("a warp takes from the queue of slots", step && regs->step_q == 5 && was_regs->pass_q == 2);
  POINT("a warp is tried in vain",
        FOLLOWS && regs->step_q == 4 && was_regs->step_q == 4 && regs->at_q == was_regs->at_q + 1);
  POINT("every warp is schedulable", FOLLOWS && regs->sched_n_q == (uint32_t)cfg->WARPS && out->busy);
  POINT("every warp waits", regs->list_n_q == (uint32_t)cfg->WARPS);
  bool loses = FOLLOWS && leaves(was_regs->slot_q, regs->slot_q, regs->barrier_q);
  POINT("a warp keeps its slot at a barrier", FOLLOWS && leaves(regs->keeps_q, was_regs->keeps_q, regs->keeps_q));
  POINT("a warp that waits at a barrier loses its slot", loses);
  POINT("a warp keeps its slot, and others at a barrier lose theirs", loses && any(regs->keeps_q));
  POINT("a barrier opens", FOLLOWS && any(was_regs->barrier_q) && !any(regs->barrier_q));
}
