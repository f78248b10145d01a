/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of oldest_of: stamps near each other, as in a queue, and random stamps. */
#include "block/block_drive.h"
#include "oldest_of_ports.h"

struct oldest_of_drive_state {
  uint32_t now; /* stamp of the next arrival */
};

static void oldest_of_drive(const struct oldest_of_cfg *cfg, struct rng *rng, struct oldest_of_drive_state *s,
                            const struct oldest_of_out *last, struct oldest_of_in *in) {
  (void)last;
  uint32_t bits = (uint32_t)cfg->W, mask = (1U << bits) - 1;
  bool queue = rng_percent(rng, 70);
  s->now += rng_below(rng, 3);
  in->valid = (uint16_t)(rng_percent(rng, 5) ? 0 : rng_u32(rng) & ((1U << cfg->N) - 1));
  __builtin_memset(in->stamp, 0, sizeof in->stamp);
  for (uint32_t n = 0; n < (uint32_t)cfg->N; n++) {
    uint32_t stamp = (queue ? s->now - rng_below(rng, 1U << (bits - 1)) : rng_u32(rng)) & mask, at = n * bits;
    uint64_t x = (uint64_t)stamp << at % 32;
    in->stamp[at / 32] |= (uint32_t)x;
    if (x >> 32) in->stamp[at / 32 + 1] |= (uint32_t)(x >> 32);
  }
}

BLOCK_DRIVER(oldest_of);
