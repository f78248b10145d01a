/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "zorua_manager_ports.h"

BLOCK_COVER(zorua_manager) {
  bool moves = out->line_valid && in->line_ready;
  POINT("a line of registers is spilled", moves && out->spill && out->at_kind == 0);
  POINT("a line of scratchpad is spilled", moves && out->spill && out->at_kind == 1);
  POINT("the state of a warp is spilled", moves && out->spill && out->at_kind == 2);
  POINT("a line of registers comes back", moves && !out->spill && out->at_kind == 0);
  POINT("a line of scratchpad comes back", moves && !out->spill && out->at_kind == 1);
  POINT("the state of a warp comes back", moves && !out->spill && out->at_kind == 2);
  POINT("a set is on its way", out->come);
  POINT("a command is done while a set is on its way", out->come && out->at_en);
  POINT("a line waits for memory", out->line_valid && !in->line_ready);
  POINT("no register set is free", out->free_regs == 0);
  POINT("no scratchpad set is free", out->free_scratch == 0);
  POINT("no slot is free", out->free_slots == 0);
  POINT("everything is free",
        FOLLOWS && out->free_regs == (uint32_t)cfg->REGS && was_out->free_regs < (uint32_t)cfg->REGS);
  POINT("a block can come", out->blk_req);
  POINT("an operand is found", in->rd_en && out->rd_valid);
  POINT("scratchpad is found", in->srd_en && out->srd_valid);
  POINT("a threshold moves", FOLLOWS && out->thresh_regs != was_out->thresh_regs);
}
