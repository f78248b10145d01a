/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "lfsr_ports.h"

BLOCK_COVER(lfsr) {
  NEVER_BUSY("nothing changes without a step");
  NEVER_IF(cfg->W == 16, "register state_q is 0", "0 is its own successor, and no other value's");
  POINT("two steps in a row", FOLLOWS && in->step && was_in->step);
  POINT("the state rests for a cycle", FOLLOWS && !was_in->step && regs->state_q == was_regs->state_q);
  POINT("the bit that leaves is 1", in->step && regs->state_q & 1);
  POINT("the bit that leaves is 0", in->step && !(regs->state_q & 1));
}
