/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "set_allocator_ports.h"

BLOCK_COVER(set_allocator) {
  uint32_t sets = (uint32_t)cfg->N;
  bool there = in->free_en && in->free_set < sets;
  bool held = there && !(regs->free_q[in->free_set / 32] >> in->free_set % 32 & 1), takes = in->alloc_en && out->valid;
  NEVER_BUSY("a tick without events changes nothing");
  POINT("every set is held", !out->valid);
  POINT("a set is wanted, and none is free", in->alloc_en && !out->valid);
  POINT("every set is free again", FOLLOWS && out->count == sets && was_out->count < sets);
  POINT("a set comes back", held);
  POINT("a set comes back that is free", there && !held);
  POINT("the set that is taken comes back", takes && there && in->free_set == out->set);
  POINT_IF(sets > 1, "one is taken, another one comes back", takes && held);
  POINT("a set comes back, and none is free", held && !out->valid);
  POINT_IF(sets > 16, "the first group is held", out->valid && out->set >= 16);
  POINT_IF(sets > 1, "the last set is the only free one", out->valid && out->count == 1 && out->set == sets - 1);
  POINT_IF(sets & (sets - 1), "a set that does not exist comes back", in->free_en && in->free_set >= sets);
}
