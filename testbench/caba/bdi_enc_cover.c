/* SPDX-License-Identifier: Apache-2.0 */
#include "bdi_enc_ports.h"
#include "block/block_cover.h"

BLOCK_COVER(bdi_enc) {
  uint32_t line = (uint32_t)cfg->LINE, most = (uint32_t)cfg->MOST;
  POINT("zeros", out->out_valid && out->enc == 0);
  POINT_IF(most >= 16, "one value", out->out_valid && out->enc == 1);
  POINT_IF(most >= 16 + line / 8, "8-byte lanes, deltas of 1 byte", out->out_valid && out->enc == 2);
  POINT_IF(most >= 16 + line / 4, "8-byte lanes, deltas of 2 bytes", out->out_valid && out->enc == 3);
  POINT_IF(most >= 16 + line / 2, "8-byte lanes, deltas of 4 bytes", out->out_valid && out->enc == 4);
  POINT_IF(most >= 12 + line / 4, "4-byte lanes, deltas of 1 byte", out->out_valid && out->enc == 5);
  POINT_IF(most >= 12 + line / 2, "4-byte lanes, deltas of 2 bytes", out->out_valid && out->enc == 6);
  POINT_IF(most >= 16 + line / 2, "2-byte lanes", out->out_valid && out->enc == 7);
  POINT("a plain line", out->out_valid && out->enc == 15);
  POINT("no code can hold the line", regs->v3_q && !regs->zeros3_q && !regs->repeats3_q && !regs->holds3_q);
  POINT("every code can hold the line", regs->v3_q && regs->holds3_q == 0x3f);
  POINT("no lane needs the base", regs->v4_q && regs->code4_q > 1 && regs->code4_q < 15 && !regs->adds4_q);
  POINT("lanes with and without the base", regs->v4_q && regs->code4_q == 5 && cover_one_bit(regs->adds4_q));
  POINT("five lines in flight", regs->v1_q && regs->v2_q && regs->v3_q && regs->v4_q && regs->v5_q);
  NEVER("len: every bit 0 and 1", "an image has one of nine lengths");
  POINT("a gap in the pipeline", regs->v1_q && !regs->v2_q && regs->v3_q);
}
