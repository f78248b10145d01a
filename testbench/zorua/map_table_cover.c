/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "map_table_ports.h"

BLOCK_COVER(map_table) {
  uint32_t rows = (uint32_t)cfg->ROWS, sets = (uint32_t)cfg->SETS, banks = (uint32_t)cfg->BANKS, row_bits = 1,
           set_bits = 1;
  while (1U << row_bits < rows / banks) row_bits++;
  while (1U << set_bits < sets) set_bits++;
  uint32_t at = (in->wr_set < sets ? in->wr_set : 0) * rows + in->wr_row;
  uint32_t of_write = 0, beyond = 0, hits = 0, just_written = 0, gone = 0;
  for (uint32_t p = 0; p < (uint32_t)cfg->READS; p++) {
    if (!(in->rd_en >> p & 1)) continue;
    uint32_t set = (uint32_t)(in->rd_set >> p * set_bits & ((1U << set_bits) - 1)),
             row = (uint32_t)(in->rd_row >> p * row_bits & ((1U << row_bits) - 1)) * banks + p % banks;
    bool hit = out->rd_valid >> p & 1,
         was_written = FOLLOWS && was_in->wr_en && was_in->wr_row == row && was_in->wr_set == set;
    hits += hit;
    beyond += set >= sets;
    of_write += in->wr_en && in->wr_row == row && in->wr_set == set && hit;
    just_written += was_written && was_in->wr_valid && hit;
    gone += was_written && !was_in->wr_valid && set < sets;
  }
  NEVER_BUSY("a tick without a write changes nothing");
  POINT("no port is read", !in->rd_en);
  POINT("every port is read", in->rd_en == (1U << cfg->READS) - 1);
  POINT("every port finds a physical set", hits == (uint32_t)cfg->READS);
  POINT("a port reads what is written in the cycle", of_write);
  POINT("a port reads what was written in the last cycle", just_written);
  POINT("a port reads an entry that has just gone", gone);
  POINT_IF((1U << set_bits) != sets, "a port reads a set that does not exist", beyond);
  POINT_IF((1U << set_bits) != sets, "a set that does not exist is written", in->wr_en && in->wr_set >= sets);
  POINT("the last entry is written", in->wr_en && in->wr_row == rows - 1 && in->wr_set == sets - 1);
  POINT("an entry that is mapped is mapped anew",
        in->wr_en && in->wr_valid && in->wr_set < sets && (regs->valid_q[at / 32] >> at % 32 & 1));
}
