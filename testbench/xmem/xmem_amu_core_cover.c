/* SPDX-License-Identifier: Apache-2.0 */
#include "xmem_amu_core_ports.h"
#include "xmem_amu_points.h"

BLOCK_COVER(xmem_amu_core) {
  AMU_POINTS;
  NEVER_IF(cfg->HOME, "register pages_q: every bit 0 and 1", A_COUNTER);
  NEVER_IF(cfg->HOME, "register stall_q: every bit 0 and 1", A_COUNTER);
  POINT("the command queue is full", regs->cmds_q == 15);
  POINT("commands enter and leave the queue in one cycle", takes && FOLLOWS && regs->head_q != was_regs->head_q);
  POINT_IF(cfg->HOME, "every place of writes is outstanding", regs->used_q == 15);
  POINT_IF(cfg->HOME, "a write is acknowledged before an older one",
           regs->used_q & regs->acked_q && !(regs->acked_q >> regs->whead_q & 1));
  POINT_IF(cfg->HOME, "a row of a map crosses a page", regs->walk_q && !regs->first_q && FOLLOWS && was_regs->first_q);
  POINT_IF(cfg->HOME, "a map of several planes", regs->z_q);
  POINT("a context is loaded while lookups come", regs->load_q && in->lk_valid);
  POINT("a context is loaded while misses of the ALB come", regs->load_q && in->ms_valid);
  POINT("a lookup of another context waits for its answer", regs->side_q);
  POINT("the access of the core waits at the port", regs->hold_q && !in->mem_rq_ready);
  POINT("several fills wait for the ALB", regs->fills_q & (regs->fills_q - 1));
  POINT("a fill waits: the ALB is not ready", out->fl_valid && !in->fl_ready);
  POINT("the ALB is forgotten in the midst of misses", out->flush && regs->fills_q);
}
