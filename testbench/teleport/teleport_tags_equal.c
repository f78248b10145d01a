/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/teleport/teleport_tags.c"
#include "equal.h"

#define N_SETS ((uint32_t)cfg->SETS)
#define N_WAYS ((uint32_t)cfg->WAYS)

INVARIANT(teleport_tags, limit_in_range) { return s->limit <= cfg->WAYS; }

INVARIANT(teleport_tags, only_usable_ways_are_valid) {
  bool good = true;
  for (uint32_t set = 0; set < N_SETS; set++)
    for (int h = 0; h < 2; h++) good &= !(s->valid[set * 2 + (uint32_t)h] & ~usable(cfg, s->limit, h));
  return good;
}

/* Bit of a way in the planes `row` and `row` + 1 of the two halves. */
static uint32_t bit_of(const struct teleport_tags_cfg *cfg, const uint64_t *plane, uint32_t row, uint32_t way) {
  uint32_t half = N_WAYS / 2, h = way >= half;
  return plane[row + h] >> (way - h * half) & 1;
}

static uint32_t rank_of(const struct teleport_tags_cfg *cfg, const struct teleport_tags_state *s, uint32_t set,
                        uint32_t way) {
  uint32_t rank = 0, bits = rank_bits(cfg);
  for (uint32_t b = 0; b < bits; b++) rank |= bit_of(cfg, s->rank, (set * bits + b) * 2, way) << b;
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
        uint32_t differ = s->tags[set * N_WAYS + way] != s->tags[set * N_WAYS + other];
        for (uint32_t b = 0; b < HALT; b++) {
          uint32_t row = (set * HALT + b) * 2;
          differ |= bit_of(cfg, s->halt, row, way) ^ bit_of(cfg, s->halt, row, other);
        }
        good &= !(bit_of(cfg, s->valid, set * 2, way) & bit_of(cfg, s->valid, set * 2, other)) | differ;
      }
  return good;
}
