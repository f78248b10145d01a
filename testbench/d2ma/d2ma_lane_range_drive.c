/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of d2ma_lane_range: addresses near each other, at the ends of the address range and anywhere; all lanes, few, one
 * or none active; equal addresses; accesses in a row and gaps. */
#include "block/block_drive.h"
#include "d2ma_lane_range_ports.h"

#include <string.h>

enum { LANES_MAX = 32 };

struct d2ma_lane_range_drive_state {
  uint8_t none;
};

static void d2ma_lane_range_drive(const struct d2ma_lane_range_cfg *cfg, struct rng *rng,
                                  struct d2ma_lane_range_drive_state *s, const struct d2ma_lane_range_out *last,
                                  struct d2ma_lane_range_in *in) {
  (void)s, (void)last;
  uint32_t r = rng_u32(rng), kind = r & 7, lanes = (uint32_t)cfg->LANES;
  uint16_t lane[LANES_MAX] = {0}, base = (uint16_t)(r >> 3), step = (uint16_t)(r >> 19 & 15);
  if ((r >> 23 & 3) == 0) base = r >> 25 & 1 ? UINT16_MAX : 0;
  for (uint32_t n = 0; n < lanes; n++)
    lane[n] = (uint16_t)(kind < 3 ? base + n * step : kind < 6 ? base + rng_below(rng, 64) : rng_u32(rng));
  memcpy(in->at_addr, lane, sizeof lane);
  uint64_t all = (UINT64_C(1) << lanes) - 1;
  uint32_t some = rng_u32(rng), pick = rng_below(rng, 8);
  in->at_mask = (uint32_t)(all & (pick < 2 ? all : pick == 2 ? 0 : pick < 5 ? some : 1U << (some & 31)));
  in->at_valid = (rng_u32(rng) & 3) != 0;
  in->at_last = (uint8_t)((1U << rng_below(rng, 5)) - 1);
  in->at_cta = (uint8_t)rng_below(rng, (uint32_t)cfg->CTAS);
  in->at_warp = (uint8_t)rng_below(rng, (uint32_t)cfg->WARPS);
}

BLOCK_DRIVER(d2ma_lane_range);
