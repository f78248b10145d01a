/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "caba_awc_ports.h"

BLOCK_COVER(caba_awc) {
  uint32_t window = (uint32_t)cfg->WINDOW;
  uint64_t all = ~UINT64_C(0) >> (64 - cfg->AWT), branches = regs->valid_q & ~regs->run_q & ~regs->drain_q;
  bool done = in->done_valid && regs->drain_q >> in->done_awt & 1, high = regs->high_q >> in->done_awt & 1;
  POINT("the AWT is full", regs->valid_q == all);
  POINT("the queue is full, a trigger comes again", in->tr_valid && !out->tr_ready);
  POINT("a high trigger waits", out->tr_taken && out->tr_high && regs->wait_n_q);
  POINT("a low trigger is taken", out->tr_taken && !out->tr_high);
  POINT("a low trigger is dropped", FOLLOWS && regs->drops_q != was_regs->drops_q && regs->drops_q);
  POINT("a killed trigger leaves the queue", regs->wait_n_q && !(regs->wait_there_q >> regs->wait_head_q & 1));
  POINT("a high entry is done", done && high);
  POINT("a low entry is done", done && !high);
  POINT("done, but it does not drain", in->done_valid && !done && regs->valid_q >> in->done_awt & 1);
  POINT("a branch is resolved", in->br_valid && branches >> in->br_awt & 1);
  POINT("words of a killed entry come", FOLLOWS && was_out->pk_valid && !out->dl_ok);
  POINT("words and a pick", out->dl_ok && out->pk_valid);
  POINT("the words end the routine, behind a branch", out->dl_ok && in->dl_end && in->dl_br);
  POINT("no word is taken", out->dl_ok && !in->dl_n && !in->dl_end && !in->dl_br);
  POINT("picks of high, then of low priority",
        FOLLOWS && was_out->pk_valid && was_out->pk_high && out->pk_valid && !out->pk_high);
  POINT("a parent exits whose entry is of high priority",
        in->exit_valid && regs->high_q && out->stall_parent >> in->exit_warp & 1);
  POINT("a kill and an exit", in->kill_valid && in->exit_valid);
  POINT("a launch beside entries", in->clear_en && regs->valid_q);
  POINT("the cap is 0", regs->cap_q == 0);
  POINT("the cap is at its most", regs->cap_q == cfg->CAP);
  POINT("a run reaches into the next window", regs->cycle_q + in->run > window);
  POINT("the queue of the LSU was full too long", regs->full_q * 2U > window);
}
