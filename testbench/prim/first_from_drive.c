/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of first_from: sparse, dense and no requests; every starting position, also out of range. */
#include "block/block_drive.h"
#include "first_from_ports.h"

struct first_from_drive_state {
  uint8_t none;
};

static void first_from_drive(const struct first_from_cfg *cfg, struct rng *rng, struct first_from_drive_state *s,
                             const struct first_from_out *last, struct first_from_in *in) {
  (void)s, (void)last;
  uint64_t r = rng_u64(rng);
  uint32_t a = (uint32_t)r, b = (uint32_t)(r >> 32), kind = rng_below(rng, 4);
  uint32_t req = kind == 0 ? a & b & rng_u32(rng) : kind == 1 ? a : kind == 2 ? a | b : 1U << a % 32;
  in->req = rng_percent(rng, 5) ? 0 : req & UINT32_MAX >> (32 - cfg->N);
  in->from = (uint8_t)rng_below(rng, 1U << block_bits((uint32_t)cfg->N));
}

BLOCK_DRIVER(first_from);
