/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "d2ma_requests_ports.h"

BLOCK_COVER(d2ma_requests) {
  uint32_t mshrs = (uint32_t)cfg->MSHRS, used = cover_count(regs->used_q, mshrs);
  bool reply = in->fill_en && in->fill_mshr < cfg->MSHRS;
  POINT("a request goes through at once", in->ag_valid && out->ag_ready);
  POINT("a request waits for an MSHR", out->req_valid && !out->share);
  POINT("a request waits for the port", out->req_valid && out->share && !in->req_ready);
  POINT("a request is taken, and the next follows", out->taken && in->ag_valid && out->ag_ready);
  POINT("all free MSHRs are kept for the load/store unit", out->req_valid && in->free && in->free <= in->reserve);
  POINT("no MSHR is free", out->req_valid && !in->free);
  POINT("every MSHR is the engine's", used == mshrs);
  POINT("a reply beside a request", reply && out->taken);
  POINT("a reply is dropped", out->fill_drop);
  POINT("a reply in the cycle in which its CTA dies", reply && in->clr_cta_en && out->fill_cta == in->clr_cta);
  POINT("a reply with a pad inside", reply && !out->fill_drop && out->fill_cut);
  POINT("a reply of strided elements", reply && !out->fill_drop && out->fill_step);
  POINT("a whole segment", reply && out->fill_len == cfg->SEG);
  POINT("a CTA dies with replies outstanding", in->clr_cta_en && used);
  POINT("an abort while a request waits", in->abort && regs->hold_q);
  POINT("the generator has ended, and its last request waits", regs->ended_q && regs->hold_q);
  POINT("the generator has ended, and nothing waits", in->ag_done && !regs->hold_q);
}
