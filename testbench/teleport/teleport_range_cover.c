/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "teleport_range_ports.h"

BLOCK_COVER(teleport_range) {
  NEVER_IF(!cfg->OVERLAP, "row: transfers in two cycles in a row",
           "a row takes a cycle for its sums before it can end");
  NEVER_IF(cfg->WIDE, "err is 1", "sums of 50 bits are never too large");
  NEVER_IF(cfg->WIDE, "err rises", "sums of 50 bits are never too large");
  NEVER_IF(cfg->WIDE, "err falls", "sums of 50 bits are never too large");
  bool takes = in->row_valid && out->row_ready, line = out->line_valid && in->out_ready;
  bool wide = cfg->WIDE;
  POINT("a row of one line", line && out->last && FOLLOWS && !was_out->line_valid);
  POINT("a row of several lines", line && !out->last);
  POINT("an empty row", out->last && !out->line_valid);
  POINT_IF(!wide, "a row that is empty because a sum is too large", out->err);
  POINT("the next row is taken in the cycle in which this one ends", takes && out->last);
  POINT_IF(cfg->OVERLAP, "three rows are held", regs->held_q && regs->summed_q && regs->lines_q);
  POINT_IF(cfg->OVERLAP, "the lines of two rows follow each other at once",
           FOLLOWS && line && was_out->last && was_out->line_valid);
  POINT("a line waits", out->line_valid && !in->out_ready);
  POINT("an element of 0 bytes", takes && !in->typesize);
  POINT("the range ends where it starts", regs->lines_q && regs->min_q == regs->max_q);
  POINT("the range ends before it starts",
        regs->summed_q && (int64_t)(regs->minsum_q << 14) > (int64_t)(regs->maxsum_q << 14));
  POINT_IF(wide, "the range starts before the array", takes && in->mino >> 31);
  POINT_IF(wide, "a start that moves backwards", takes && in->minp[0] >> 31);
  POINT("a block at the origin", takes && !in->bx && !in->by && !in->bz);
  POINT("a block away from the origin in x, y and z", takes && in->bx && in->by && in->bz);
  POINT("a base that is no multiple of 128", takes && in->base & 127);
  POINT("the range ends on a multiple of 128", regs->lines_q && !(regs->max_q & 127));
}
