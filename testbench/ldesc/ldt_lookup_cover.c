/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "ldt_lookup_ports.h"

BLOCK_COVER(ldt_lookup) {
  uint32_t rows = (uint32_t)cfg->ROWS, owners = 0;
  uint64_t line = in->at_addr >> 7, base = 0, limit = 0;
  for (uint32_t r = 0; r < rows; r++) {
    bool has = regs->valid_q >> r & 1 && line >= regs->base_q[r] && line < regs->limit_q[r];
    owners += has;
    if (out->hit && r == out->hit_row) base = regs->base_q[r], limit = regs->limit_q[r];
  }
  NEVER_BUSY("a lookup is answered in its cycle");
  POINT("a lookup without a row", in->at_en && !out->hit);
  POINT("the first line of a row", out->hit && line == base);
  POINT("the last line of a row", out->hit && line == limit - 1);
  POINT_IF(rows > 1, "several rows have the address", in->at_en && owners > 1);
  POINT_IF(rows > 1, "the last row has it alone", out->hit && out->hit_row == rows - 1 && owners == 1);
  POINT("hard pin", out->insert == 2);
  POINT("bypass", out->insert == 3);
  POINT("prefetch by stride", out->pf == 2);
  POINT("an empty row is written", in->set_en && in->set_base == in->set_limit);
  POINT("a row that is there is written again", in->set_en && in->set_row < rows && regs->valid_q >> in->set_row & 1);
  POINT("clearing beside writing", in->clear_en && in->set_en);
  POINT_IF(rows & (rows - 1), "a row that does not exist", in->set_en && in->set_row >= rows);
  POINT("the table is full", regs->valid_q == cover_ones(rows));
}
