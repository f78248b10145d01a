/* SPDX-License-Identifier: Apache-2.0 */
/* Few tags, so that look-ups hit often. */
#include "block/block_drive.h"
#include "like_cache_ports.h"

struct like_cache_drive_state {
  uint32_t left, look, fill; /* cycles left in this phase; percent of its cycles */
};

static void like_cache_drive(const struct like_cache_cfg *cfg, struct rng *rng, struct like_cache_drive_state *s,
                             const struct like_cache_out *last, struct like_cache_in *in) {
  static const uint8_t rates[] = {0, 30, 70, 100};
  uint32_t tags = UINT32_C(1) << cfg->T;
  (void)last;
  if (!s->left) {
    s->left = 1 + rng_below(rng, 60);
    s->look = rates[rng_below(rng, sizeof rates)];
    s->fill = rates[rng_below(rng, sizeof rates)];
  }
  s->left--;
  in->look = rng_percent(rng, s->look);
  in->fill = rng_percent(rng, s->fill);
  in->set = (uint8_t)rng_below(rng, (uint32_t)cfg->SETS);
  in->tag = (uint16_t)rng_below(rng, tags < 3 ? tags : 3);
}

BLOCK_DRIVER(like_cache);
