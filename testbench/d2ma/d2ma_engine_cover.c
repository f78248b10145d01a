/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "d2ma_engine_ports.h"

BLOCK_COVER(d2ma_engine) {
  bool ignites = in->wr_en && (in->wr_kind == 1 || in->wr_kind == 2);
  POINT("an operation ignites an entry", ignites && in->wr_go && out->go_live);
  POINT("an entry is in flight, and was armed", out->ck_set && out->ck_forget);
  POINT("an entry is done", out->ck_clr && !out->ck_stale);
  POINT("an entry is done, and was killed", out->ck_clr && out->ck_stale);
  POINT("an access touches a buffer and waits", out->waits);
  POINT("an access touches a buffer and does not wait", out->hit && !out->waits);
  POINT("a store touches a buffer", out->hit && in->wt_en && in->wt_store);
  POINT("waiting warps are released", out->wake);
  POINT("a CTA is released, and another is still to be", out->freed && out->freed_next);
  POINT("a request is taken beside a reply", out->taken && in->fill_en);
  POINT("a request waits for an MSHR", out->req_valid && !out->share);
  POINT("a request waits for the port", out->req_valid && out->share && !in->req_ready);
  POINT("constants wait for the port", out->cst_valid && !in->cst_ready);
  POINT("a reply of a dead CTA is dropped", in->fill_en && out->fill_drop);
  POINT("a reply with a pad inside", in->fill_en && !out->fill_drop && out->fill_cut);
  POINT("a footprint becomes known while the entry moves", out->known && out->moving);
  POINT("a CTA starts while entries move", in->clr_cta_en && out->moving);
  POINT("a warp ends while an entry is armed", in->exit_en && out->armed);
  POINT("the watchdog lets every warp arrive", in->force_en && out->armed);
  POINT("paper-literal re-ignition", ignites && in->literal && out->moving);
}
