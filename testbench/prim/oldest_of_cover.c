/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "oldest_of_ports.h"

BLOCK_COVER(oldest_of) {
  uint32_t n = (uint32_t)cfg->N, width = (uint32_t)cfg->W, half = 1U << (width - 1), low = UINT32_MAX, high = 0;
  bool tie = false;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t stamp = cover_item(in->stamp, i, width);
    if (!(in->valid >> i & 1)) continue;
    for (uint32_t k = 0; k < i; k++) tie |= (in->valid >> k & 1) && cover_item(in->stamp, k, width) == stamp;
    low = stamp < low ? stamp : low;
    high = stamp > high ? stamp : high;
  }
  bool several = in->valid & (in->valid - 1);
  uint32_t winner = out->pick ? cover_item(in->stamp, (uint32_t)__builtin_ctz(out->pick), width) : 0;
  POINT("one client", cover_one_bit(in->valid));
  POINT_IF(n > 1, "clients of the same age", tie);
  POINT_IF(n > 1, "the first client wins against others", several && out->pick == 1);
  POINT_IF(n > 1, "the last client wins against others", several && out->pick == 1U << (n - 1));
  POINT_IF(n > 1, "stamps have wrapped round: the oldest has a larger stamp", several && winner > low);
  POINT_IF(n > 1, "stamps a half of the range apart or more, which have no order", several && high - low == half);
  POINT_IF(n > 1, "an older client does not compete", several && in->valid != cover_ones(n));
}
