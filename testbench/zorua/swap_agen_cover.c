/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "swap_agen_ports.h"

BLOCK_COVER(swap_agen) {
  uint64_t top = UINT64_MAX >> (64 - cfg->PAW + 7);
  bool takes = in->cmd_valid && out->cmd_ready, moves = out->line_valid && in->line_ready;
  POINT("a register set", takes && in->cmd_kind == 0);
  POINT("a scratchpad set", takes && in->cmd_kind == 1);
  POINT("the state of a warp", takes && in->cmd_kind == 2);
  POINT("kind 3", takes && in->cmd_kind == 3);
  POINT("a spill", takes && in->cmd_spill);
  POINT("a fill", takes && !in->cmd_spill);
  POINT("a command waits", in->cmd_valid && !out->cmd_ready);
  POINT("a command in the cycle of a last line", in->cmd_valid && moves && out->left == 1);
  POINT("a command one cycle after a last line", FOLLOWS && takes && was_out->line_valid);
  POINT("a line waits", FOLLOWS && out->line_valid && was_out->line_valid && out->line == was_out->line);
  POINT("a line follows in the next cycle", FOLLOWS && out->line_valid && was_out->left == out->left + 1);
  POINT("a base is written beside a command of its kind", takes && in->base_en && in->base_kind == in->cmd_kind);
  POINT("a base is written while lines are offered", out->line_valid && in->base_en && in->base_kind < 3);
  POINT("a base of no kind", in->base_en && in->base_kind == 3);
  POINT("the address wraps", moves && out->line == top && out->left > 1);
}
