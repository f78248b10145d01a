/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "teleport_table_ports.h"

BLOCK_COVER(teleport_table) {
  uint32_t rows = (uint32_t)cfg->ROWS;
  uint32_t used = cover_count(regs->used_q, rows), snap = cover_count(regs->snap_q, rows);
  uint32_t gone = cover_count(regs->gone_q, rows), walk = cover_count(regs->walk_q, rows);
  bool takes = in->cta_valid && out->cta_ready;
  NEVER("cta: transfers in two cycles in a row", "a CTA is walked before the next one is taken");
  NEVER("msg: transfers in two cycles in a row", "a CTA is taken and walked between two messages");
  POINT("a row is set", in->set_valid && !out->set_full && !out->set_misfit);
  POINT("a row finds the table full", in->set_valid && out->set_full);
  POINT("a row that does not fit", in->set_valid && out->set_misfit);
  POINT("the table is full", used == rows);
  POINT("a launch takes no row", in->launch_valid && !out->walking && used && FOLLOWS);
  POINT_IF(rows > 1, "a snapshot of several rows", snap > 1);
  POINT_IF(rows > 1, "a snapshot of some rows, and others are of other streams", snap && used > snap);
  POINT("a row is flushed while it is in the snapshot", gone);
  POINT("the kernel ends, and flushed rows leave", in->end_valid && gone && !out->walking);
  POINT("a stream without a row is flushed", in->flush_valid && !used);
  POINT("a launch beside a flush", in->launch_valid && in->flush_valid);
  POINT("a launch beside the end of the one before", in->launch_valid && in->end_valid);
  POINT("a launch is ignored: a CTA is walked", in->launch_valid && out->walking);
  POINT("a row is set while a CTA is walked", in->set_valid && out->walking);
  POINT("a CTA without rows", takes && !snap);
  POINT("a CTA waits for the end of another", in->cta_valid && out->walking);
  POINT("the range unit has three rows", regs->open_q == 3);
  POINT("the last row of a CTA", regs->open_q && !walk);
  POINT("a row ends beside its last line", in->row_end && in->line_taken && regs->open_q);
  POINT("a row waits for the range unit", out->row_valid && !in->row_ready);
  POINT("the message waits", out->msg_valid && !in->msg_ready);
  POINT("a CTA of no line", out->msg_valid && !out->msg_total);
}
