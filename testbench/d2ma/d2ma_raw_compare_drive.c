/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of d2ma_raw_compare: buffers of every size and an access at the edge of one of them, a byte to either side. */
#include "block/block_drive.h"
#include "d2ma_raw_compare_ports.h"

struct d2ma_raw_compare_drive_state {
  uint8_t none;
};

static void d2ma_raw_compare_drive(const struct d2ma_raw_compare_cfg *cfg, struct rng *rng,
                                   struct d2ma_raw_compare_drive_state *s, const struct d2ma_raw_compare_out *last,
                                   struct d2ma_raw_compare_in *in) {
  (void)s, (void)last;
  uint32_t n = (uint32_t)cfg->N, aim = rng_below(rng, n), edge = 0;
  __builtin_memset(in, 0, sizeof *in);
  in->configured = rng_percent(rng, 10) ? 0 : rng_u32(rng);
  if (n < 32) in->configured &= (UINT32_C(1) << n) - 1;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t r = rng_u32(rng), base = r >> 16, bytes = rng_u32(rng) >> (16 + (r & 15));
    if (rng_percent(rng, 5)) bytes = 0x10000 - base; /* up to the last byte */
    in->base[i / 2] |= base << i % 2 * 16;
    in->bytes[i / 2] |= (bytes & 0xffff) << i % 2 * 16;
    if (i == aim) edge = r & 16 ? base : base + bytes;
  }
  in->addr = (uint16_t)(edge + rng_below(rng, 3) - 1);
}

BLOCK_DRIVER(d2ma_raw_compare);
