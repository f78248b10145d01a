/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "ldesc_l1_ports.h"

BLOCK_COVER(ldesc_l1) {
  uint32_t rows = (uint32_t)cfg->ROWS, ways = (uint32_t)cfg->WAYS;
  bool hit = in->hit_en && out->has_row, miss = in->miss_en && out->has_row;
  bool same_set = in->fill_set == (in->at_addr >> 7 & ((uint32_t)cfg->SETS - 1));
  POINT("a hit in a hard pinned row", hit && out->insert == 2);
  POINT("a hit in a row of bypass", hit && out->insert == 3);
  POINT("a hit without a row", in->at_en && in->hit_en && !out->has_row);
  POINT("a miss in a row without a prefetch", miss && out->pf == 0);
  POINT("a miss in a row of next lines", miss && out->pf == 1);
  POINT("a miss in a row of strides", miss && out->pf == 2);
  POINT_IF(rows > 1, "a miss in a row above the first", miss && out->row && out->pf);
  POINT("a miss without a row", in->at_en && in->miss_en && !out->has_row);
  POINT("a lookup that is neither hit nor miss", in->at_en && !in->hit_en && !in->miss_en);
  POINT("a hit without a lookup", in->hit_en && !in->at_en);
  POINT("a miss without a lookup", in->miss_en && !in->at_en);
  POINT("a hit and a miss of one lookup", in->at_en && in->hit_en && in->miss_en);
  POINT("a fill beside a hit in its set", out->found && hit && same_set);
  POINT("a fill beside a hit in its way", out->found && hit && same_set && in->hit_way == out->victim);
  POINT("a fill beside a miss", out->found && miss);
  POINT_IF(ways > 1, "every line of a set is hard pinned", out->all_hard && !in->lock);
  POINT("the timer clears beside a hit", out->clears && hit);
  POINT("a row is written beside a lookup that it has not reached", in->set_en && in->at_en && out->has_row);
  POINT("a line is offered while another is lost", out->pf_valid && out->lost);
  POINT("a line is taken beside a miss", out->pf_valid && in->pf_ready && miss);
  POINT("the table is cleared while a line waits", in->clear_en && out->pf_valid);
}
