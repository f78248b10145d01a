/* SPDX-License-Identifier: Apache-2.0 */
#include "xmem_amu_points.h"
#include "xmem_amu_ports.h"

BLOCK_COVER(xmem_amu) {
  AMU_POINTS;
  NEVER("c_lk: every bit 0 and 1", A_COUNTER);
  NEVER("c_hit: every bit 0 and 1", A_COUNTER);
  NEVER("c_miss: every bit 0 and 1", A_COUNTER);
  NEVER("c_merge: every bit 0 and 1", A_COUNTER);
  POINT("a page update arrives from the home unit", in->bi_valid);
  POINT("a lookup beside a page update from the home unit", in->bi_valid && in->lk_valid);
  POINT("a lookup hits", out->rs_valid && out->rs_hit);
  POINT("a lookup that missed is answered", out->rs_valid && !out->rs_hit);
  POINT("a miss joins an outstanding one", out->c_merge != was_out->c_merge);
  POINT("a lookup is refused", in->lk_valid && !out->lk_ready);
}
