/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "pf_agen_ports.h"

BLOCK_COVER(pf_agen) {
  uint32_t rows = (uint32_t)cfg->ROWS, slots = (uint32_t)cfg->SLOTS, all = (uint32_t)cover_ones((uint32_t)cfg->FIFO);
  bool starts = in->start_en && in->start_slot < slots, ends = in->end_en && in->end_slot < slots;
  bool start_held = starts && regs->held_q >> in->start_slot & 1, end_held = ends && regs->held_q >> in->end_slot & 1;
  bool there = in->miss_en && in->miss_row < rows && regs->row_q >> in->miss_row & 1;
  uint32_t n = there ? regs->n_q[in->miss_row] : 0, held = cover_count(&(uint32_t){regs->held_q}, 8);
  uint64_t sum = regs->at_q + regs->ahead_q, line = sum >> 7;
  bool checks = regs->miss_q && regs->row_q >> regs->from_q & 1;
  uint64_t base = checks ? regs->base_q[regs->from_q] : 0, limit = checks ? regs->limit_q[regs->from_q] : 0;
  bool fits = checks && !(sum >> cfg->PAW) && line >= base && line < limit, queued = false;
  for (int32_t f = 0; f < cfg->FIFO; f++) queued |= (regs->line_valid_q >> f & 1) && regs->line_q[f] == line;
  POINT("a start in a slot that is taken", start_held && !(end_held && in->start_slot == in->end_slot));
  POINT("a start in the slot that ends", start_held && end_held && in->start_slot == in->end_slot);
  POINT("an end of a slot that is free", ends && !end_held);
  POINT_IF(slots & (slots - 1), "a slot that does not exist", in->start_en && !starts);
  POINT("a miss while no tile is active", there && !n);
  POINT_IF(slots > 1, "a miss while CTAs share a tile", there && n && n < held);
  POINT("a miss while every slot has a tile of its own", there && n == slots);
  POINT("a next line", there && in->miss_pf == 1);
  POINT("a stride", there && in->miss_pf == 2);
  POINT("a miss without a prefetch", there && in->miss_pf != 1 && in->miss_pf != 2);
  POINT("a miss of a row that was not written", in->miss_en && !there);
  POINT("the row of a miss leaves before it is checked", regs->miss_q && !checks);
  POINT("a line is in its row", fits);
  POINT("the last line of a row", fits && line == limit - 1);
  POINT("a line behind its row", checks && !(sum >> cfg->PAW) && line >= limit);
  POINT("a line before its row", checks && !(sum >> cfg->PAW) && line < base);
  POINT("an address above the highest one", checks && sum >> cfg->PAW);
  POINT("a line that the queue has", fits && queued);
  POINT("the queue is full", regs->line_valid_q == all);
  POINT("a line is lost", out->lost);
  POINT("a line is lost beside one that is taken", out->lost && in->pf_ready);
  POINT("a row is written again", in->set_en && in->set_row < rows && regs->row_q >> in->set_row & 1);
  POINT("clearing beside writing", in->clear_en && in->set_en);
  POINT("every row is there", regs->row_q == cover_ones(rows));
}
