/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "set_mover_ports.h"

BLOCK_COVER(set_mover) {
  bool works = regs->on_q && !regs->lines_q;
  uint32_t op = regs->op_q, kind = regs->kind_q;
  POINT("a command is taken", in->cmd_valid && out->cmd_ready && in->cmd_from < in->cmd_to);
  POINT("a command without sets", in->cmd_valid && out->cmd_ready && in->cmd_from >= in->cmd_to);
  POINT("a command waits", in->cmd_valid && !out->cmd_ready);
  POINT("a free set is mapped", works && op == 0 && out->alloc_en);
  POINT("a register set is spilled", works && op == 0 && kind == 0 && out->move_en);
  POINT("a scratchpad set is spilled", works && op == 0 && kind == 1 && out->move_en);
  POINT("a map waits for a set", works && op == 0 && !in->offer && !in->victim);
  POINT("a spill waits for the one before",
        works && op == 0 && !in->offer && in->victim && kind < 2 && !in->move_ready);
  POINT("a set is released", out->did_en && !out->did_swapped && !out->did_fill);
  POINT("a set in memory is released", out->did_swapped);
  POINT("a slot is released", out->free_en && kind == 2 && op == 1);
  POINT("a set comes back", out->did_fill);
  POINT("a fill ends without a free set", works && op == 2 && kind < 2 && !in->there && !in->offer);
  POINT("a fill finds the set there", works && op == 2 && in->there);
  POINT("the state of a warp goes", works && op == 3 && out->move_en);
  POINT("the state of a warp comes", regs->lines_q && op == 2 && kind == 2 && out->new_en);
  POINT("lines wait for memory", regs->lines_q && in->lines);
  POINT("lines of a slot are on their way", regs->lines_q && op == 2 && kind == 2 && !in->lines && in->mem_busy);
  POINT("a set is on its way", out->come && in->mem_busy);
  POINT("a set arrives", out->come && out->new_en);
  POINT("a command is done while a set is on its way", out->come && works && op < 2 && out->wr_en);
  POINT("a release waits for the set on its way", out->come && works && op == 1 && !out->did_en && in->mem_busy);
  POINT("a fill ends while a set is on its way", out->come && works && op == 2 && kind < 2);
  POINT("every owned register set may go", FOLLOWS && out->may_regs[0] && out->prefer_regs[0] == out->may_regs[0]);
  POINT("a command of several sets", FOLLOWS && regs->on_q && was_regs->on_q && regs->at_q == was_regs->at_q + 1);
}
