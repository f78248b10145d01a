/* SPDX-License-Identifier: Apache-2.0 */
#include "bkconf_accum_ports.h"
#include "block/block_cover.h"

BLOCK_COVER(bkconf_accum) {
  uint32_t most = (uint32_t)cover_ones(block_clog2((uint32_t)cfg->W));
  POINT("an instruction of one subwarp", in->sub_valid && in->sub_last && !regs->part_q);
  POINT("the last of several subwarps", in->sub_valid && in->sub_last && regs->part_q);
  POINT("a subwarp in the midst", in->sub_valid && !in->sub_last && regs->part_q);
  POINT("a conflict degree of 0, which counts as 1", in->sub_valid && !in->sub_cd);
  POINT("the largest conflict degree", in->sub_valid && in->sub_cd == cfg->S);
  POINT("an update without conflicts", out->up_valid && !out->up_degree);
  POINT_IF(cfg->S * (cfg->W / cfg->P) > (int32_t)most, "an update that is saturated",
           out->up_valid && out->up_degree == most);
  POINT("an update beside the next instruction's subwarp", out->up_valid && in->sub_valid);
  POINT("updates in two cycles in a row", FOLLOWS && out->up_valid && was_out->up_valid);
  POINT("a flush drops an unfinished sum", in->flush && regs->part_q);
  POINT("a flush drops a last subwarp", in->flush && in->sub_valid && in->sub_last);
  POINT("a pause between two subwarps", FOLLOWS && regs->part_q && !was_in->sub_valid && in->sub_valid);
}
