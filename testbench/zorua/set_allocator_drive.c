/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of set_allocator: phases in which sets are taken more often than they come back, and the reverse; sets that come back twice, that
 * do not exist, and the one that is offered. */
#include "block/block_drive.h"
#include "set_allocator_ports.h"

struct set_allocator_drive_state {
  uint32_t left;         /* cycles of this phase */
  uint32_t takes, comes; /* percent of them */
  uint32_t near;         /* most sets that come back are below it */
};

static void set_allocator_drive(const struct set_allocator_cfg *cfg, struct rng *rng,
                                struct set_allocator_drive_state *s, const struct set_allocator_out *last,
                                struct set_allocator_in *in) {
  static const uint8_t rates[] = {0, 5, 50, 90, 100};
  uint32_t sets = (uint32_t)cfg->N, odd = (sets & (sets - 1)) != 0;
  if (s->left == 0) {
    s->left = 1 + rng_below(rng, 700);
    s->takes = rates[rng_below(rng, sizeof rates)];
    s->comes = rates[rng_below(rng, sizeof rates)];
    s->near = rng_below(rng, 2) ? sets + odd : 1 + rng_below(rng, sets);
  }
  s->left--;
  in->alloc_en = rng_percent(rng, s->takes);
  in->free_en = rng_percent(rng, s->comes);
  in->free_set = (uint16_t)(rng_below(rng, 16) == 0 ? last->set : rng_below(rng, s->near));
}

BLOCK_DRIVER(set_allocator);
