/* SPDX-License-Identifier: Apache-2.0 */
#include "matrix_alloc_ports.h"
#include "matrix_cover.h"

BLOCK_COVER(matrix_alloc) {
  const uint32_t req[] = {(uint32_t)in->req, (uint32_t)(in->req >> 32)};
  const uint32_t grant[] = {(uint32_t)out->grant, (uint32_t)(out->grant >> 32)};
  const uint32_t was_grant[] = {(uint32_t)was_out->grant, (uint32_t)(was_out->grant >> 32)};
  ALLOCATOR_POINTS(req, grant, was_grant);
  NEVER_BUSY("without a request no order changes");
  uint32_t input_all = (uint32_t)cover_ones(outputs * (outputs - 1) / 2);
  bool turned = false, input_order = false;
  for (uint32_t o = 0; o < outputs; o++) turned |= regs->out_order_q[o] != was_regs->out_order_q[o];
  for (uint32_t i = 0; i < inputs; i++) input_order |= outputs > 1 && regs->in_order_q[i] == input_all;
  POINT_IF(inputs > 1, "an order of the inputs changes", turned);
  POINT_IF(outputs > 1, "an input's order is reversed: the highest output goes first", input_order);
  POINT_IF(inputs > 1, "an accepted grant changes no order: the winner was last already",
           was_out->grant_valid && was_in->adv && !turned && FOLLOWS);
}
