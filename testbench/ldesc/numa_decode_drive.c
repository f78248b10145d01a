/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of numa_decode: a stream of lines, neighbours of edges of interleaving, arbitrary addresses, gaps; every b, also those
 * that count as 9. */
#include "block/block_drive.h"
#include "numa_decode_ports.h"

struct numa_decode_drive_state {
  uint64_t line;
};

static void numa_decode_drive(const struct numa_decode_cfg *cfg, struct rng *rng, struct numa_decode_drive_state *s,
                              const struct numa_decode_out *last, struct numa_decode_in *in) {
  (void)last;
  uint64_t all = UINT64_MAX >> (64 - cfg->PAW), edge = UINT64_C(1) << rng_below(rng, (uint32_t)cfg->PAW);
  if (rng_below(rng, 64) == 0) s->line = rng_u64(rng);
  switch (rng_below(rng, 6)) {
    case 0: in->pa = 0; break;
    case 1: in->pa = rng_u64(rng) & all; break;
    case 2: in->pa = (edge - rng_below(rng, 2)) & all; break;
    default: in->pa = (s->line += 128) & all; break;
  }
  in->b = (uint8_t)rng_below(rng, rng_below(rng, 8) ? 10 : 16);
}

BLOCK_DRIVER(numa_decode);
