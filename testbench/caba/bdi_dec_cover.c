/* SPDX-License-Identifier: Apache-2.0 */
#include "bdi_dec_ports.h"
#include "block/block_cover.h"

static bool is_zero(const uint32_t *words, uint32_t bytes) {
  uint32_t any = 0;
  for (uint32_t i = 0; i < bytes / 4; i++) any |= words[i];
  return !any;
}

BLOCK_COVER(bdi_dec) {
  uint32_t line = (uint32_t)cfg->LINE, lanes8 = line / 8;
  uint32_t mask8 = in->image[0] >> 16 & (uint32_t)cover_ones(lanes8),
           mask4 = in->image[1] & (uint32_t)cover_ones(line / 4);
  POINT("zeros", in->enc == 0);
  POINT("a repeated value", in->enc == 1 && !is_zero(out->line, line));
  POINT("8-byte lanes, all with the base", in->enc == 2 && mask8 == cover_ones(lanes8));
  POINT("8-byte lanes, none with the base", in->enc == 2 && !mask8);
  POINT("8-byte lanes, some with the base", in->enc == 2 && mask8 && mask8 != cover_ones(lanes8));
  POINT("8-byte lanes, deltas of 2 bytes", in->enc == 3 && !is_zero(out->line, line));
  POINT("8-byte lanes, deltas of 4 bytes", in->enc == 4 && !is_zero(out->line, line));
  POINT("4-byte lanes, some with the base", in->enc == 5 && mask4 && mask4 != cover_ones(line / 4));
  POINT("4-byte lanes, deltas of 2 bytes", in->enc == 6 && !is_zero(out->line, line));
  POINT("2-byte lanes", in->enc == 7 && !is_zero(out->line, line));
  POINT("a negative delta", in->enc == 2 && in->image[4] >> 7 & 1);
  POINT("a plain line", in->enc > 7 && !is_zero(out->line, line));
}
