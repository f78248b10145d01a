/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "d2ma_raw_compare_ports.h"

BLOCK_COVER(d2ma_raw_compare) {
  bool first = false, last = false, before = false, behind = false, beyond = false, empty = false;
  for (uint32_t i = 0; i < (uint32_t)cfg->N; i++) {
    uint32_t base = cover_item(in->base, i, 16), bytes = cover_item(in->bytes, i, 16);
    if (!(in->configured >> i & 1)) continue;
    first |= bytes && in->addr == base;
    last |= bytes && in->addr == base + bytes - 1;
    before |= bytes && in->addr + 1U == base;
    behind |= bytes && in->addr == base + bytes;
    beyond |= base + bytes > 65536;
    empty |= !bytes && in->addr == base;
  }
  POINT("the first byte of a buffer", first);
  POINT("the last byte of a buffer", last);
  POINT("the byte before a buffer", before);
  POINT("the byte behind a buffer", behind);
  POINT("a buffer that ends beyond 65536", beyond);
  POINT("the address of an empty buffer", empty);
  POINT_IF(cfg->N > 1, "several buffers are hit", out->hit & (out->hit - 1));
  POINT("no buffer is hit", in->configured && !out->hit);
}
