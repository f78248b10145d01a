/* SPDX-License-Identifier: Apache-2.0 */
#include "islip_alloc_ports.h"
#include "matrix_cover.h"

BLOCK_COVER(islip_alloc) {
  ALLOCATOR_POINTS(in->req, out->grant, was_out->grant);
  NEVER_BUSY("without a request no pointer moves");
  bool output_wraps = false, input_wraps = false, moved = false;
  for (uint32_t o = 0; o < outputs; o++) {
    output_wraps |= regs->grant_ptr_q[o] < was_regs->grant_ptr_q[o];
    moved |= regs->grant_ptr_q[o] != was_regs->grant_ptr_q[o];
  }
  for (uint32_t i = 0; i < inputs; i++) input_wraps |= regs->accept_ptr_q[i] < was_regs->accept_ptr_q[i];
  POINT_IF(inputs > 1, "a pointer of an output wraps round", output_wraps);
  POINT_IF(outputs > 1, "a pointer of an input wraps round", input_wraps);
  POINT_IF(inputs > 1, "an accepted grant leaves every pointer of the outputs alone",
           was_out->grant_valid && was_in->adv && !moved && FOLLOWS);
}
