/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks/elastic/bkconf_history_cache.c"
#include "equal.h"

INVARIANT(bkconf_history_cache, ways_fill_in_order) {
  bool good = true;
  for (uint32_t set = 0; set < (uint32_t)cfg->SETS; set++) {
    uint32_t ways = valid_ways(cfg, s, set);
    good &= !(ways & (ways + 1));
  }
  return good;
}

INVARIANT(bkconf_history_cache, tags_of_a_set_differ) {
  bool good = true;
  uint32_t entry = tag_bits(cfg) + (uint32_t)cfg->DW, ways = (uint32_t)cfg->WAYS;
  uint64_t mask = (UINT64_C(1) << tag_bits(cfg)) - 1;
  for (uint32_t set = 0; set < (uint32_t)cfg->SETS; set++) {
    uint32_t valid = valid_ways(cfg, s, set);
    for (uint32_t a = 0; a < ways; a++)
      for (uint32_t b = a + 1; b < ways; b++) {
        uint64_t difference =
          s->rows[set] >> (a * entry + (uint32_t)cfg->DW) ^ s->rows[set] >> (b * entry + (uint32_t)cfg->DW);
        good &= !(valid >> a & valid >> b & 1) || (difference & mask);
      }
  }
  return good;
}

/* What a pending operation has read is what the arrays still hold. */
static bool as_read(const struct bkconf_history_cache_cfg *cfg, const struct bkconf_history_cache_state *s,
                    uint32_t set, uint64_t row, uint32_t valid) {
  return (valid == valid_ways(cfg, s, set)) & (!valid || row == s->rows[set]);
}

INVARIANT(bkconf_history_cache, pending_rows_are_those_of_the_arrays) {
  uint32_t sets = (uint32_t)cfg->SETS;
  bool good = true;
  if (s->lk) good &= as_read(cfg, s, s->lk_pc & (sets - 1), s->lk_row, s->lk_val);
  if (s->up) good &= as_read(cfg, s, s->up_pc & (sets - 1), s->up_row, s->up_val);
  return good;
}
