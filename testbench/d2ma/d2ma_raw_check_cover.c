/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "d2ma_raw_check_ports.h"

BLOCK_COVER(d2ma_raw_check) {
  uint32_t entries = (uint32_t)(cfg->CTAS * cfg->BUFS);
  bool set_clear = in->set_live && in->clr_live;
  POINT("set beside clear: set wins", set_clear);
  POINT("arm beside forget: forget wins", in->arm_wr && in->arm_clr);
  POINT("an empty range is written", in->wr_en && !in->wr_foot);
  POINT("a range that ends at 65536", in->wr_en && in->wr_sbase + in->wr_foot == 65536);
  POINT("a query of one byte", in->ld_valid && in->ld_lo == in->ld_hi);
  POINT("a query beside a write of its CTA's entry", in->ld_valid && in->wr_en && in->ld_cta == in->wr_cta);
  POINT("a query beside set", in->ld_valid && in->set_live && in->ld_cta == in->st_cta);
  POINT("a query beside clear", in->ld_valid && in->clr_live && in->ld_cta == in->st_cta);
  POINT("a query beside an arrival of its warp",
        in->ld_valid && in->arm_wr && in->ld_cta == in->arm_cta && in->ld_warp == in->arm_warp);
  POINT("an answer: hit", out->hit_valid && out->hit);
  POINT("an answer: no hit", out->hit_valid && !out->hit);
  POINT_IF(cfg->BUFS > 1, "a hit of the last buffer", out->hit && out->hit_buf == cfg->BUFS - 1);
  POINT("queries in two cycles in a row", FOLLOWS && in->ld_valid && was_in->ld_valid);
  POINT("every entry is in flight", regs->live_q == cover_ones(entries));
  POINT("an entry is armed and in flight", regs->armed_q & regs->live_q);
  POINT("an entry in flight has no range", regs->live_q & ~regs->ranged_q);
}
