/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "teleport_pend_ports.h"

BLOCK_COVER(teleport_pend) {
  uint32_t all = (uint32_t)cover_ones((uint32_t)cfg->SLOTS), slot = in->reply_slot % 32;
  bool reply = in->reply_en && out->held >> slot & 1, known = regs->known_q >> slot & 1;
  bool completes = reply && known && regs->received_q[slot] + 1 == regs->total_q[slot];
  bool same = in->msg_en && in->reply_en && in->msg_slot == in->reply_slot;
  POINT("a reply before the number is known", reply && !known);
  POINT("a reply after the number is known, and more are to come", reply && known && !completes);
  POINT("the last reply completes a CTA", completes && !in->start_en);
  POINT("the message completes a CTA: every line is here", in->msg_en && out->held >> (in->msg_slot % 32) & 1 &&
                                                             in->msg_total &&
                                                             in->msg_total == regs->received_q[in->msg_slot % 32]);
  POINT("the last reply and the message come together", same && reply && in->msg_total == regs->received_q[slot] + 1);
  POINT("a message of no line", in->msg_en && !in->msg_total);
  POINT("a reply for a slot that is not held", in->reply_en && slot < (uint32_t)cfg->SLOTS && !(out->held >> slot & 1));
  POINT("a message for a slot that is not held", in->msg_en && !(out->held >> (in->msg_slot % 32) & 1));
  POINT("a start beside the first reply of its slot", in->start_en && in->reply_en && in->start_slot == in->reply_slot);
  POINT("a start beside the message of its slot", in->start_en && in->msg_en && in->start_slot == in->msg_slot);
  POINT("a slot that is held is started again", in->start_en && out->held >> (in->start_slot % 32) & 1);
  POINT("every slot is held", out->held == all);
  POINT("no slot is held", !out->held);
  POINT_IF(cfg->SLOTS > 1, "two slots are activated at once", out->activate & (out->activate - 1));
  POINT_IF(cfg->SLOTS & (cfg->SLOTS - 1), "a slot that does not exist", in->reply_en && slot >= (uint32_t)cfg->SLOTS);
}
