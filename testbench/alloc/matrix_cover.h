/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage points that the allocators share: request matrices, free outputs, taken and refused grants. */
#ifndef TANDEM_ALLOC_MATRIX_COVER_H
#define TANDEM_ALLOC_MATRIX_COVER_H

#include "block/block_cover.h"

/* Of a request matrix: inputs and outputs for which several ask. */
struct matrix_shape {
  uint32_t cells;        /* requests */
  uint32_t busy_rows;    /* inputs with several requests */
  uint32_t busy_columns; /* outputs with several */
};

static inline struct matrix_shape matrix_shape(const uint32_t *m, uint32_t inputs, uint32_t outputs) {
  struct matrix_shape s = {0};
  uint32_t column[64] = {0};
  for (uint32_t i = 0; i < inputs; i++) {
    uint32_t row = 0;
    for (uint32_t o = 0; o < outputs; o++) {
      uint32_t cell = i * outputs + o, bit = m[cell / 32] >> cell % 32 & 1;
      row += bit;
      column[o] += bit;
    }
    s.cells += row;
    s.busy_rows += row > 1;
  }
  for (uint32_t o = 0; o < outputs; o++) s.busy_columns += column[o] > 1;
  return s;
}

#define ALLOCATOR_POINTS(REQ, GRANT, WAS_GRANT)                                                     \
  uint32_t inputs = (uint32_t)cfg->I, outputs = (uint32_t)cfg->O, cells = inputs * outputs;         \
  struct matrix_shape asked = matrix_shape(REQ, inputs, outputs);                                   \
  uint32_t granted = cover_count(GRANT, cells), most = inputs < outputs ? inputs : outputs;         \
  bool same = FOLLOWS, all_free = in->out_free == (uint32_t)cover_ones(outputs);                    \
  for (uint32_t i = 0; i < (cells + 31) / 32; i++) same &= GRANT[i] == WAS_GRANT[i];                \
  POINT_IF(outputs > 1, "an input asks for several outputs", asked.busy_rows);                      \
  POINT_IF(inputs > 1, "an output is asked for by several inputs", asked.busy_columns);             \
  POINT("every pair asks", asked.cells == cells);                                                   \
  POINT("one grant", granted == 1);                                                                 \
  POINT_IF(most > 1, "as many grants as there can be", granted == most);                            \
  POINT_IF(most > 1, "a grant that could have been given is missing: inputs chose the same output", \
           all_free && asked.busy_rows && granted && granted < most && asked.cells > 2 * granted);  \
  POINT("requests, and no output is free", asked.cells && !in->out_free);                           \
  POINT("requests for outputs that are not free only", asked.cells && in->out_free && !granted);    \
  POINT("grants do not take effect", granted && !in->adv);                                          \
  POINT("grants that did not take effect are given again", same &&granted && !was_in->adv);         \
  POINT("grants in two cycles in a row", granted &&FOLLOWS && was_out->grant_valid && was_in->adv)

#endif
