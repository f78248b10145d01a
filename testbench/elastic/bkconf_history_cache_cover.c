/* SPDX-License-Identifier: Apache-2.0 */
#include "bkconf_history_cache_ports.h"
#include "block/block_cover.h"

BLOCK_COVER(bkconf_history_cache) {
  uint32_t set = (uint32_t)cfg->SETS - 1;
  bool same_pc = in->lk_valid && in->up_valid && in->lk_pc == in->up_pc;
  bool same_set = in->lk_valid && in->up_valid && (in->lk_pc & set) == (in->up_pc & set);
  bool again = FOLLOWS && in->up_valid && was_in->up_valid;
  POINT("a lookup beside an update of the same instruction", same_pc);
  POINT("a lookup beside an update of another instruction of its set", same_set && !same_pc);
  POINT("a lookup one cycle after an update of its instruction",
        FOLLOWS && was_in->up_valid && !was_in->flush && in->lk_valid && in->lk_pc == was_in->up_pc);
  POINT("updates of one instruction in two cycles in a row", again && in->up_pc == was_in->up_pc);
  POINT("updates of one set in two cycles in a row",
        again && in->up_pc != was_in->up_pc && !((in->up_pc ^ was_in->up_pc) & set));
  POINT("a lookup hits", out->ev_hit);
  POINT("a lookup hits with degree 0", out->lk_hit && !out->lk_degree);
  POINT("a lookup misses", out->ev_miss);
  POINT("an update takes a free way", out->ev_alloc && !out->ev_evict);
  POINT("an update evicts", out->ev_evict);
  POINT("an update of a known instruction", FOLLOWS && was_in->up_valid && !was_in->flush && !out->ev_alloc);
  POINT_IF(cfg->WAYS > 1, "a lookup finds every way of its set filled",
           regs->lk_q && regs->lk_val_q == cover_ones((uint32_t)cfg->WAYS));
  POINT("a flush beside a lookup", in->flush && in->lk_valid);
  POINT("a flush beside an update", in->flush && in->up_valid);
  POINT("a flush while an answer is pending", in->flush && regs->lk_q);
  POINT("a flush while a write is pending", in->flush && regs->up_q);
}
