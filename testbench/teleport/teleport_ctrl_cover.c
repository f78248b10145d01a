/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "teleport_ctrl_ports.h"

BLOCK_COVER(teleport_ctrl) {
  bool takes = in->cta_valid && out->cta_ready, line = out->line_valid && in->line_ready;
  NEVER_IF(cfg->WIDE, "err is 1", "sums of 50 bits are never too large");
  NEVER_IF(cfg->WIDE, "err rises", "sums of 50 bits are never too large");
  NEVER_IF(cfg->WIDE, "err falls", "sums of 50 bits are never too large");
  NEVER("cta: transfers in two cycles in a row", "a CTA is walked before the next one is taken");
  NEVER("msg: transfers in two cycles in a row", "a CTA is taken and walked between two messages");
  POINT("a CTA is taken", takes);
  POINT("a CTA waits for the end of another", in->cta_valid && out->walking);
  POINT("a line goes", line);
  POINT("a line waits", out->line_valid && !in->line_ready);
  POINT("a row ends with its last line", line && out->row_last);
  POINT("an empty row", out->row_last && !out->line_valid);
  POINT("two rows of one CTA follow each other", FOLLOWS && was_out->row_last && out->walking && !out->msg_valid);
  POINT_IF(!cfg->WIDE, "a row that is empty because a sum is too large", out->err);
  POINT("a CTA of no line", out->msg_valid && !out->msg_total);
  POINT("the message waits", out->msg_valid && !in->msg_ready);
  POINT("a row is set while a CTA is walked", in->set_valid && out->walking);
  POINT("a stream is flushed while a CTA is walked", in->flush_valid && out->walking);
  POINT("a launch is ignored: a CTA is walked", in->launch_valid && out->walking);
  POINT("a launch beside the end of the one before", in->launch_valid && in->end_valid);
}
