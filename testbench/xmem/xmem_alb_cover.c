/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "xmem_alb_ports.h"

#define A_COUNTER "a counter of 32 bits is full after 4,294,967,295 events"

static void counters(struct cover_points *to) {
  NEVER("c_lk: every bit 0 and 1", A_COUNTER);
  NEVER("c_hit: every bit 0 and 1", A_COUNTER);
  NEVER("c_miss: every bit 0 and 1", A_COUNTER);
  NEVER("c_merge: every bit 0 and 1", A_COUNTER);
  NEVER("register c_lk_q: every bit 0 and 1", A_COUNTER);
  NEVER("register c_hit_q: every bit 0 and 1", A_COUNTER);
  NEVER("register c_miss_q: every bit 0 and 1", A_COUNTER);
  NEVER("register c_merge_q: every bit 0 and 1", A_COUNTER);
}

BLOCK_COVER(xmem_alb) {
  uint32_t all = (uint32_t)cover_ones((uint32_t)cfg->NMISS), set = (uint32_t)cfg->SETS - 1;
  bool lookup = in->lk_valid && out->lk_ready, fill = in->fl_valid && out->fl_ready;
  bool merged = out->c_merge != was_out->c_merge, missed = out->c_miss != was_out->c_miss;
  bool outstanding = false;
  for (int32_t i = 0; i < cfg->NMISS; i++)
    outstanding |= (regs->miss_q >> i & 1) && in->up_valid && regs->miss_ppn_q[i] == in->up_ppn;
  counters(to);
  POINT("a lookup is answered by a hit", out->rs_valid && out->rs_hit);
  POINT("a waiter is answered after a fill", out->rs_valid && !out->rs_hit);
  POINT("a lookup misses", missed);
  POINT("a miss joins an outstanding one", merged);
  POINT("every miss is outstanding", regs->miss_q == all);
  POINT("a lookup is refused while every miss is outstanding", regs->miss_q == all && in->lk_valid && !out->lk_ready);
  POINT("every place of the waiters is in use", regs->wait_q == cover_ones(2 * (uint32_t)cfg->NMISS));
  POINT("a miss with several waiters is filled",
        fill && regs->some_q >> (in->fl_id % 8) & 1 && regs->head_q[in->fl_id % 8] != regs->tail_q[in->fl_id % 8]);
  POINT("a request is answered before an older one", fill && (regs->miss_q & regs->sent_q & ~(1U << (in->fl_id % 8))));
  POINT("a fill for no outstanding miss", in->fl_valid && !(regs->miss_q >> (in->fl_id % 8) & 1));
  POINT("a fill is refused", in->fl_valid && !out->fl_ready);
  POINT("an update of a page whose miss is outstanding", outstanding);
  POINT("an update beside a lookup of its page", in->up_valid && in->lk_valid && in->up_ppn == in->lk_ppn);
  POINT("a lookup one cycle after an update of its set",
        FOLLOWS && was_in->up_valid && lookup && !((in->lk_ppn ^ was_in->up_ppn) & set));
  POINT("updates in two cycles in a row", FOLLOWS && was_in->up_valid && in->up_valid);
  POINT("an update of no unit", in->up_valid && !in->up_mask);
  POINT("an update of every unit", in->up_valid && in->up_mask == cover_ones((uint32_t)cfg->UNITS));
  POINT("a flush beside a lookup, an update and a fill", in->flush && in->lk_valid && in->up_valid && in->fl_valid);
  POINT("a flush while misses are outstanding", in->flush && regs->miss_q);
  POINT("a flush while waiters are answered", in->flush && regs->drain_q);
  POINT("a fill after a flush, which is not installed", fill && regs->noinst_q >> (in->fl_id % 8) & 1);
  POINT("a lookup finds every way of its set filled",
        regs->lk_q && regs->row_val_q[0] == cover_ones((uint32_t)(cfg->WAYS < 32 ? cfg->WAYS : 32)));
}
