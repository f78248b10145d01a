/* SPDX-License-Identifier: Apache-2.0 */
#include "frfcfs_sched_ports.h"
#include "scheduler_cover.h"

BLOCK_COVER(frfcfs_sched) {
  SCHEDULER_POINTS;
  uint64_t every = cover_ones((uint32_t)cfg->Q), hits = 0, misses = 0;
  for (int32_t i = 0; i < cfg->Q; i++) {
    if (!(regs->valid_q >> i & 1)) continue;
    uint32_t bank = regs->banks_q[i];
    bool hit = regs->open_q >> bank & 1 && regs->open_row_q[bank] == regs->rows_q[i];
    *(hit ? &hits : &misses) |= UINT64_C(1) << i;
  }
  uint64_t oldest = regs->valid_q & -regs->valid_q;
  POINT("the queue is full", regs->valid_q == every);
  POINT("the full queue loses an entry", regs->valid_q != every && was_regs->valid_q == every);
  POINT("a younger row hit overtakes the oldest request", out->cmd == CMD_COLUMN && misses & oldest && hits);
  POINT("several row hits compete", __builtin_popcountll(hits) > 1);
  POINT_IF(cfg->NB > 1, "several misses compete", __builtin_popcountll(misses) > 1);
  POINT("a row is kept open: a miss waits for a hit of its bank", hits && misses && out->cmd == CMD_COLUMN);
  POINT_IF(cfg->NCMD > 1, "a request in the midst of its column commands", regs->valid_q && regs->done_q[0]);
}
