/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "othresh_ctl_ports.h"

BLOCK_COVER(othresh_ctl) {
  uint32_t epoch = (uint32_t)cfg->EPOCH, step = (uint32_t)cfg->STEP, run = in->run > epoch ? epoch : in->run;
  uint32_t sum = regs->epoch_q + run;
  bool ended = FOLLOWS && !was_in->start_en && was_regs->epoch_q + (was_in->run > epoch ? epoch : was_in->run) >= epoch;
  bool idle = !in->issue_valid && !in->pipe_stall;
  NEVER_BUSY("a tick without cycles changes nothing");
  POINT("a launch in an epoch", in->start_en && regs->epoch_q);
  POINT("a launch, and a run", in->start_en && run);
  POINT("a run ends with an epoch", !in->start_en && run && sum == epoch);
  POINT("a run reaches into the next epoch", !in->start_en && sum > epoch);
  POINT("a run reaches into the next epoch, idle and waiting",
        !in->start_en && sum > epoch && idle && in->all_wait_mem);
  POINT("a run of an epoch", run == epoch);
  POINT_IF((epoch & (epoch + 1)) != 0, "a run of more than an epoch", in->run > epoch);
  POINT("a cycle is idle, and waits for memory", run && idle && in->all_wait_mem);
  POINT("nothing is issued, the pipeline is stalled", run && !in->issue_valid && in->pipe_stall);
  POINT("an epoch changes nothing", ended && regs->percent_q == was_regs->percent_q);
  POINT("the percentage rises", ended && regs->percent_q > was_regs->percent_q);
  POINT("the percentage falls", ended && regs->percent_q < was_regs->percent_q);
  POINT("all may be swapped", regs->percent_q == 100);
  POINT("nothing may be swapped", regs->percent_q == 0);
  POINT_IF(step < 100 && (100 - cfg->START) % cfg->STEP, "the last step up is smaller",
           ended && regs->percent_q == 100 && was_regs->percent_q > 100 - step && was_regs->percent_q < 100);
  POINT_IF(step < 100, "the last step down is smaller",
           ended && regs->percent_q == 0 && was_regs->percent_q && was_regs->percent_q < step);
  POINT("every cycle of an epoch is idle", regs->idle_prev_q == epoch);
  POINT("every cycle of an epoch waits for memory", regs->mem_prev_q == epoch);
}
