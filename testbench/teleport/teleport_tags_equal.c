/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/teleport/teleport_tags.c"
#include "equal.h"

#define N_SETS ((uint32_t)cfg->SETS)
#define N_WAYS ((uint32_t)cfg->WAYS)

INVARIANT(teleport_tags, limit_in_range) { return s->limit <= cfg->WAYS; }

INVARIANT(teleport_tags, only_usable_ways_are_valid) {
  bool good = true;
  for (uint32_t row = 0; row < N_SETS * N_WAYS; row++) good &= !valid_at(s, row) | (row / N_SETS < s->limit);
  return good;
}

static uint32_t rank_of(const struct teleport_tags_cfg *cfg, const struct teleport_tags_state *s, uint32_t set,
                        uint32_t way) {
  uint32_t rank = 0;
  for (uint32_t b = 0; b < rank_bits(cfg); b++) rank |= (s->rank[b * N_SETS + set][way / 32] >> way % 32 & 1) << b;
  return rank;
}

INVARIANT(teleport_tags, ranks_are_a_permutation) {
  bool good = true;
  for (uint32_t set = 0; set < N_SETS; set++)
    for (uint32_t way = 0; way < N_WAYS; way++)
      for (uint32_t other = 0; other < way; other++) good &= rank_of(cfg, s, set, way) != rank_of(cfg, s, set, other);
  return good;
}

INVARIANT(teleport_tags, lines_are_here_once) {
  bool good = true;
  for (uint32_t set = 0; set < N_SETS; set++)
    for (uint32_t way = 0; way < N_WAYS; way++)
      for (uint32_t other = 0; other < way; other++) {
        uint32_t differ = s->tags[way * N_SETS + set] != s->tags[other * N_SETS + set];
        for (uint32_t b = 0; b < HALT; b++) {
          const uint32_t *plane = s->halt[b * N_SETS + set];
          differ |= (plane[way / 32] >> way % 32 ^ plane[other / 32] >> other % 32) & 1;
        }
        good &= !(valid_at(s, way * N_SETS + set) & valid_at(s, other * N_SETS + set)) | differ;
      }
  return good;
}
