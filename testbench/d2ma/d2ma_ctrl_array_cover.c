/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "d2ma_ctrl_array_ports.h"

BLOCK_COVER(d2ma_ctrl_array) {
  uint32_t entries = (uint32_t)(cfg->CTAS * cfg->BUFS), entry = (uint32_t)(in->wr_cta * cfg->BUFS + in->wr_buf) % 64;
  bool ignites = in->wr_en && (in->wr_kind == 1 || in->wr_kind == 2);
  POINT("an operation ignites an entry", ignites && in->wr_go && out->go_live);
  POINT("an operation arms an entry that waits for other warps", ignites && in->wr_go && out->go_arm && out->rd_some);
  POINT("an operation of an entry without elements", ignites && !out->rd_some);
  POINT("an operation that is not legal", ignites && !in->wr_go);
  POINT("an operation of every group", in->wr_en && in->wr_grp == 15);
  POINT("an operation of no group", in->wr_en && !in->wr_grp);
  POINT("paper-literal re-ignition of an entry in flight", ignites && in->literal && regs->flying_q >> entry & 1);
  POINT("re-ignition of an entry in flight", ignites && !in->literal && regs->flying_q >> entry & 1);
  POINT("an operation beside the watchdog of its entry",
        in->wr_en && in->force_en && in->wr_cta == in->force_cta && in->wr_buf == in->force_buf);
  POINT("a CTA starts while its entries are in flight", in->clr_cta_en && regs->flying_q);
  POINT("a CTA starts beside an operation of its slot", in->clr_cta_en && in->wr_en && in->clr_cta == in->wr_cta);
  POINT("a warp ends while an entry is armed", in->exit_en && regs->armed_q);
  POINT("a warp ends beside an arrival", in->exit_en && ignites);
  POINT("the watchdog lets every warp arrive", in->force_en && regs->armed_q);
  POINT("an entry is done, and was killed", out->ck_clr && out->ck_stale);
  POINT("an entry is done", out->ck_clr && !out->ck_stale);
  POINT_IF(entries > 1, "entries queue for the address generator", regs->queued_q);
  POINT_IF(entries > 2, "the queue of entries wraps round", regs->tail_q < regs->head_q && regs->queued_q);
  POINT("the address generator drops its entry", out->ag_abort);
  POINT("a warp waits, and is released in the same cycle",
        in->wt_en && in->wt_hit && out->freed >> (in->wt_cta % 16) & 1);
  POINT("a warp waits", in->wt_en && in->wt_hit && !(out->freed >> (in->wt_cta % 16) & 1));
  POINT("waiting warps are released", out->wake);
  POINT("the last reply arrives while the generator still runs", in->fl_en && regs->run_q);
  POINT("the generator is done beside a reply", in->ag_done && in->fl_en);
  POINT("reading for the footprint beside an entry that starts", in->fp_en && regs->next_on_q);
}
