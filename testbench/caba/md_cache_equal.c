/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/caba/md_cache.c"
#include "equal.h"

INVARIANT(md_cache, lines_are_here_once) {
  bool good = true;
  uint32_t ways = (uint32_t)cfg->WAYS;
  for (uint32_t row = 0; row < (uint32_t)cfg->SETS * ways; row++)
    for (uint32_t other = row / ways * ways; other < row; other++)
      good &= !bit_of(s->valid, row) | !bit_of(s->valid, other) | (s->tag[row] != s->tag[other]);
  return good;
}

INVARIANT(md_cache, ranks_are_a_permutation) {
  bool good = true;
  for (uint32_t set = 0; set < (uint32_t)cfg->SETS; set++)
    for (uint32_t w = 0; w < (uint32_t)cfg->WAYS; w++) {
      good &= rank_of(cfg, ranks_of(cfg, s, set), w) < (uint32_t)cfg->WAYS;
      for (uint32_t v = 0; v < w; v++)
        good &= rank_of(cfg, ranks_of(cfg, s, set), v) != rank_of(cfg, ranks_of(cfg, s, set), w);
    }
  return good;
}
