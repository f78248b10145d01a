/* SPDX-License-Identifier: Apache-2.0 */
#include "block/block_cover.h"
#include "tree_pick_ports.h"

BLOCK_COVER(tree_pick) {
  uint32_t group = 1U << cfg->FIRST, tournament = group << cfg->LEVELS;
  uint64_t one = cover_ones(tournament);
  /* the groups of the places 0 and `group` meet at the first level */
  bool lower = in->ask & cover_ones(group), upper = in->ask >> group & cover_ones(group);
  bool lower_loses = in->lose[0] & 1;
  POINT("a tournament with one candidate", cover_one_bit(in->ask & one));
  POINT("a tournament with every candidate", (in->ask & one) == one);
  POINT("a tournament with none beside one with some",
        tournament < (uint32_t)cfg->W ? in->ask && !(in->ask & one) : !in->ask);
  POINT("both groups of the first level have a candidate and the lower one loses", lower && upper && lower_loses);
  POINT("both groups of the first level have a candidate and the upper one loses", lower && upper && !lower_loses);
  POINT("a group loses, but has no rival", lower && !upper && lower_loses);
  POINT("the first place wins", out->pick & 1);
  POINT("the last place wins", out->pick >> (cfg->W - 1) & 1);
}
