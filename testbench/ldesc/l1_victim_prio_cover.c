/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "l1_victim_prio_ports.h"

BLOCK_COVER(l1_victim_prio) {
  uint32_t ways = (uint32_t)cfg->WAYS, all = (uint32_t)cover_ones(ways), free = ~(in->valid | in->lock) & all;
  uint32_t row = regs->prio_q[in->set], soft = 0, hard = 0, held = in->valid & ~(uint32_t)in->lock & all;
  for (uint32_t way = 0; way < ways; way++) {
    uint32_t prio = row >> 2 * way & 3;
    soft |= (uint32_t)(prio == 1) << way;
    hard |= (uint32_t)(prio == 2) << way;
  }
  bool leaves = out->found && !free;
  bool pair = out->found && in->hit_en && in->set == in->hit_set && out->victim == in->hit_way;
  NEVER_BUSY("the timer counts ticks, which are inputs");
  POINT("every way is locked", in->fill_en && !out->found);
  POINT("an invalid way is taken", out->found && free);
  POINT_IF(ways > 1, "several ways are invalid", out->found && free & (free - 1));
  POINT("every line is hard pinned", out->all_hard && !in->lock);
  POINT_IF(ways > 1, "every line is hard pinned, and way 0 is locked", out->all_hard && out->victim);
  POINT_IF(ways > 1, "a normal line leaves between pinned ones",
           leaves && held & ~(soft | hard) && held & (soft | hard));
  POINT_IF(ways > 1, "a soft pinned line leaves beside a hard pinned one",
           leaves && !(held & ~(soft | hard)) && held & soft && held & hard);
  POINT_IF(ways > 1, "the highest way leaves", leaves && out->victim == ways - 1);
  POINT("a hard pinned line is filled", out->found && in->fill_prio == 2);
  POINT("a line is filled by class 3", out->found && in->fill_prio == 3);
  POINT("a hit beside a fill of its line", pair);
  POINT("a hit by a lower class",
        in->hit_en && in->hit_way < ways && !in->hit_prio && regs->prio_q[in->hit_set] >> 2 * in->hit_way & 3);
  POINT("the timer clears", out->clears);
  POINT("the timer clears beside a fill", out->clears && out->found);
  POINT("the timer clears beside a hit", out->clears && in->hit_en);
  POINT_IF(cfg->TICKS > 1, "a tick that does not clear", in->tick_en && !out->clears);
  POINT_IF(ways & (ways - 1), "a way that does not exist", in->hit_en && in->hit_way >= ways);
}
