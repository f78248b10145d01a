/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "pipe_buffer_ports.h"

BLOCK_COVER(pipe_buffer) {
  bool enters = in->in_valid && out->in_ready, leaves = out->out_valid && in->out_ready;
  POINT("data enters the empty buffer", enters && !regs->full_q);
  POINT("data leaves and none follows", leaves && !in->in_valid);
  POINT("data leaves and the next enters", leaves && enters);
  POINT("the full buffer refuses data", in->in_valid && regs->full_q && !in->out_ready);
  POINT("the consumer is ready and nothing is there", in->out_ready && !regs->full_q);
  POINT("equal data follow each other", leaves && enters && in->in_data == regs->data_q);
  POINT("data changes while it is refused", was_in->in_valid && !was_out->in_ready && in->in_data != was_in->in_data);
  POINT("an offer is withdrawn", was_in->in_valid && !was_out->in_ready && !in->in_valid);
}
