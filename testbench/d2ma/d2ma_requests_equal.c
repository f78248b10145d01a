/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/d2ma/d2ma_requests.c"
#include "equal.h"

INVARIANT(d2ma_requests, dropped_ones_are_used) {
  (void)cfg;
  bool good = true;
  for (uint32_t w = 0; w < MASK_WORDS; w++) good &= !(s->drop[w] & ~s->used[w]);
  return good;
}
