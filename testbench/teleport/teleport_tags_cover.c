/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "teleport_tags_ports.h"

enum { ANSWER_NONE, ANSWER_FILL, ANSWER_INVALIDATION, ANSWER_PROBE };

BLOCK_COVER(teleport_tags) {
  uint32_t ways = (uint32_t)cfg->WAYS, valid = 0;
  for (uint32_t i = 0; i < 2 * (uint32_t)cfg->SETS; i++) valid += (uint32_t)__builtin_popcountll(regs->valid_q[i]);
  POINT("a fill of a new line into a free way",
        out->answer == ANSWER_FILL && out->placed && !out->hit && !out->evict_valid);
  POINT("a fill evicts a line", out->answer == ANSWER_FILL && out->evict_valid);
  POINT("a fill of a line that is here", out->answer == ANSWER_FILL && out->hit);
  POINT("a fill finds no way: the limit is 0", out->answer == ANSWER_FILL && !out->placed && !regs->limit_q);
  POINT("a probe hits", out->answer == ANSWER_PROBE && out->hit);
  POINT("a probe misses", out->answer == ANSWER_PROBE && !out->hit);
  POINT("an invalidation hits", out->answer == ANSWER_INVALIDATION && out->hit);
  POINT("an invalidation misses", out->answer == ANSWER_INVALIDATION && !out->hit);
  POINT("a probe of the line filled one cycle before",
        FOLLOWS && was_in->fill_valid && in->probe_valid && out->probe_ready && in->probe_line == was_in->fill_line);
  POINT("an invalidation of the line filled one cycle before",
        FOLLOWS && was_in->fill_valid && in->inval_valid && out->inval_ready && in->inval_line == was_in->fill_line);
  POINT("one line is filled twice in a row",
        FOLLOWS && was_in->fill_valid && in->fill_valid && in->fill_line == was_in->fill_line);
  POINT("an invalidation is refused", in->inval_valid && !out->inval_ready);
  POINT("a probe is refused", in->probe_valid && !out->probe_ready);
  POINT("every way holds a line", valid == ways * (uint32_t)cfg->SETS);
  POINT("the array is empty", !valid);
  POINT("the limit is lowered while lines are here", in->limit_en && valid && in->limit < regs->limit_q);
  POINT("the limit is raised", in->limit_en && in->limit > regs->limit_q);
  POINT("a limit of 0", in->limit_en && !in->limit);
  POINT_IF(ways & (ways + 1), "a limit above the number of ways", in->limit_en && in->limit > ways);
  POINT("the array is cleared beside a fill", in->clear && in->fill_valid);
  POINT("the array is cleared while an operation is answered", in->clear && regs->op_q);
}
