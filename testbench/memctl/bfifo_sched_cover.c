/* SPDX-License-Identifier: Apache-2.0 */
#include "bfifo_sched_ports.h"
#include "scheduler_cover.h"

BLOCK_COVER(bfifo_sched) {
  SCHEDULER_POINTS;
  int32_t full = 0, waiting = 0;
  for (int32_t b = 0; b < cfg->NB; b++) {
    full += regs->count_q[b] == cfg->DEPTH;
    waiting += regs->count_q[b] > 0;
  }
  bool there = in->enq_bank < cfg->NB;
  POINT("a FIFO is full", full > 0);
  POINT("every FIFO is full", full == cfg->NB);
  POINT_IF(cfg->NB > 1, "heads of several banks compete", waiting > 1);
  POINT_IF(cfg->NB > 1, "one FIFO is full, and another has room", full && takes);
  POINT_IF(cfg->DEPTH > 1, "a FIFO's head wraps round",
           out->cmd == CMD_COLUMN && regs->head_q[out->cmd_bank] == cfg->DEPTH - 1);
  POINT("a request arrives at a full FIFO whose head leaves",
        there && in->enq_valid && regs->count_q[there ? in->enq_bank : 0] == cfg->DEPTH && out->cmd == CMD_COLUMN &&
          out->cmd_bank == in->enq_bank);
  POINT("arrival stamps wrap round", regs->stamp_q < was_regs->stamp_q);
  POINT_IF(cfg->NCMD > 1, "a request's last column command",
           out->cmd == CMD_COLUMN && regs->done_q[out->cmd_bank] == cfg->NCMD - 1);
}
