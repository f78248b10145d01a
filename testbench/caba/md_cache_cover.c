/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "md_cache_ports.h"

BLOCK_COVER(md_cache) {
  uint32_t ways = (uint32_t)cfg->WAYS, sets = (uint32_t)cfg->SETS, set_bits = 0, line_bits = 0;
  while (1U << set_bits < sets) set_bits++;
  while (1U << line_bits < (uint32_t)cfg->LINES) line_bits++;
  bool takes = in->fill_valid && out->fill_ready, here = false, dirty = false, full = true;
  uint32_t first = in->fill_line % sets * ways;
  for (uint32_t row = first; row < first + ways; row++) {
    bool valid = regs->valid_q[row / 32] >> row % 32 & 1, mine = valid && regs->tag_q[row] == in->fill_line >> set_bits;
    here |= mine;
    dirty |= mine && (regs->dirty_q[row]);
    full &= valid;
  }
  bool asks = in->rq_valid && out->rq_ready, was_asked = FOLLOWS && was_in->rq_valid && was_out->hit;
  bool same = asks && FOLLOWS && in->rq_line == was_in->rq_line;
  NEVER("ev: transfers in two cycles in a row", "no fill is taken while a line is offered");
  POINT("a read hits", out->hit && !in->rq_write);
  POINT("a write hits", out->hit && in->rq_write);
  POINT("a read misses", asks && !out->hit && !in->rq_write);
  POINT("a write misses", asks && !out->hit && in->rq_write);
  POINT("a read of what was written in the last cycle", same && out->hit && was_asked && was_in->rq_write);
  POINT("a neighbour of what was written in the last cycle",
        asks && out->hit && was_asked && was_in->rq_write && (in->rq_line ^ was_in->rq_line) == 1);
  POINT("a request of the line that was filled in the last cycle",
        asks && FOLLOWS && was_in->fill_valid && was_out->fill_ready && in->rq_line >> line_bits == was_in->fill_line);
  POINT("a request waits for a fill", in->rq_valid && !out->rq_ready);
  POINT("a request beside a fill that waits", asks && in->fill_valid);
  POINT("a fill in a set with room", takes && !here && !full);
  POINT("a fill in a full set", takes && !here && full);
  POINT("a fill of a line that is here", takes && here);
  POINT("a fill of a line that was written", takes && here && dirty);
  POINT("a line leaves that nobody wrote", takes && !here && full && FOLLOWS && !out->ev_valid);
  POINT("a written line leaves", FOLLOWS && out->ev_valid && !was_out->ev_valid);
  POINT("a fill waits for memory", in->fill_valid && !out->fill_ready);
  POINT("memory takes a line at once", FOLLOWS && out->ev_valid && !was_out->ev_valid && in->ev_ready);
  POINT("memory lets a line wait", out->ev_valid && !in->ev_ready);
  POINT("a request of the line that leaves", asks && out->ev_valid && in->rq_line >> line_bits == out->ev_line);
  POINT("four bursts", out->hit && out->bursts == 3);
}
