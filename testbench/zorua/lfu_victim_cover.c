/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "lfu_victim_ports.h"

enum { WORD = 32 };

static bool has(const uint32_t *v, uint32_t set) { return v[set / WORD] >> set % WORD & 1; }

BLOCK_COVER(lfu_victim) {
  uint32_t sets = (uint32_t)cfg->N, epoch = (uint32_t)cfg->EPOCH, sum = regs->epoch_q + in->run;
  uint32_t may = cover_count(in->may, sets), preferred = 0, full = 0, touched_full = 0;
  bool fresh = in->new_en && in->new_set < sets;
  for (uint32_t s = 0; s < sets; s++) {
    bool is_full = has(regs->ones_q, s) && has(regs->twos_q, s) && has(regs->fours_q, s) && has(regs->eights_q, s);
    preferred += has(in->may, s) && has(in->prefer, s);
    full += is_full;
    touched_full += is_full && has(in->touch, s);
  }
  NEVER_BUSY("a tick without events changes nothing");
  POINT("no set may be spilled", !may);
  POINT("every set may be spilled", may == sets);
  POINT("one set may be spilled", may == 1);
  POINT("a preferred set is chosen", preferred);
  POINT("no set of those that may is preferred", may && !preferred);
  POINT_IF(sets > 1, "a preferred set is chosen, others may be", preferred && preferred < may);
  POINT("the victim was never used", out->valid && out->uses == 0);
  POINT("the victim's counter is at its end", out->valid && out->uses == 15);
  POINT_IF(sets > 1, "the victim is the last set", out->valid && out->set == sets - 1);
  POINT("a counter stays at its end", touched_full && sum < epoch);
  POINT("every counter is at its end", full == sets);
  POINT("an epoch ends with a run", in->run && sum == epoch);
  POINT("a run reaches into the next epoch", sum > epoch);
  POINT("a counter at its end is accessed as an epoch ends", touched_full && sum >= epoch);
  POINT_IF((epoch & (epoch + 1)) != 0, "a run of more than an epoch", in->run > epoch);
  POINT("the victim has a new owner", fresh && out->valid && in->new_set == out->set);
  POINT("a set has a new owner, and an access", fresh && has(in->touch, in->new_set));
  POINT("a set has a new owner as an epoch ends", fresh && sum >= epoch);
  POINT_IF((sets & (sets - 1)) != 0 || sets == 1, "a set that does not exist has a new owner",
           in->new_en && in->new_set >= sets);
}
