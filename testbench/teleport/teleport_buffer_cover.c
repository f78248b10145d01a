/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "teleport_buffer_ports.h"

enum { ANSWER_NONE, ANSWER_REPLY, ANSWER_INVALIDATION, ANSWER_PROBE };

BLOCK_COVER(teleport_buffer) {
  uint32_t slot = in->reply_slot % 32;
  bool held = out->held >> slot & 1;
  POINT("a reply for a CTA that waits", in->reply_valid && held);
  POINT("a reply for no CTA: its line is kept", in->reply_valid && !held);
  POINT("a reply evicts a line", out->answer == ANSWER_REPLY && out->evict_valid);
  POINT("a reply finds its line here", out->answer == ANSWER_REPLY && out->hit);
  POINT("a CTA is activated beside an answer", out->activate && out->answer);
  POINT("a CTA is activated, and its line is probed in the same cycle", out->activate && in->probe_valid);
  POINT("a probe hits", out->answer == ANSWER_PROBE && out->hit);
  POINT("a probe misses", out->answer == ANSWER_PROBE && !out->hit);
  POINT("an invalidation hits", out->answer == ANSWER_INVALIDATION && out->hit);
  POINT("a start beside a reply of its slot", in->start_en && in->reply_valid && in->start_slot == in->reply_slot);
  POINT("a message beside a reply of its slot", in->msg_en && in->reply_valid && in->msg_slot == in->reply_slot);
  POINT("the array is cleared while a CTA waits", in->clear && out->held);
}
