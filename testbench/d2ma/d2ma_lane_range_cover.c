/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "d2ma_lane_range_ports.h"

BLOCK_COVER(d2ma_lane_range) {
  uint32_t lanes = (uint32_t)cfg->LANES, low = UINT32_MAX, high = 0;
  for (uint32_t i = 0; i < lanes; i++) {
    uint32_t a = cover_item(in->at_addr, i, 16);
    if (!(in->at_mask >> i & 1)) continue;
    low = a < low ? a : low;
    high = a > high ? a : high;
  }
  bool asks = in->at_valid && in->at_mask, several = in->at_mask & (in->at_mask - 1);
  POINT("an access without an active lane", in->at_valid && !in->at_mask);
  POINT("an access of one lane", in->at_valid && cover_one_bit(in->at_mask));
  POINT("an access of every lane", in->at_valid && in->at_mask == cover_ones(lanes));
  POINT_IF(lanes > 1, "all lanes at one address", asks && several && low == high);
  POINT_IF(lanes > 1, "lane 0 is at the highest address",
           asks && several && in->at_mask & 1 && cover_item(in->at_addr, 0, 16) == high && low < high);
  POINT("the range ends at 65535", asks && high + in->at_last == 65535);
  POINT("the range is cut at 65535", asks && high + in->at_last > 65535);
  POINT("elements of one byte", asks && !in->at_last);
  POINT("elements of 16 bytes", asks && in->at_last == 15);
  POINT("queries in two cycles in a row", FOLLOWS && out->ld_valid && was_out->ld_valid);
}
