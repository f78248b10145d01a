/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of d2ma_raw_compare: buffers of every size and an access at the edge of one of them, a byte to either side. Some buffers
 * change in a cycle: new ones for all would take longer than the block. */
#include "block/block_drive.h"
#include "d2ma_raw_compare_ports.h"

enum { CHANGES = 3 };

struct d2ma_raw_compare_drive_state {
  uint16_t base[32], bytes[32];
};

static void change(struct d2ma_raw_compare_drive_state *s, struct rng *rng, uint32_t i) {
  uint32_t r = rng_u32(rng), base = r >> 16, bytes = rng_u32(rng) >> (16 + (r & 15));
  if (rng_percent(rng, 5)) bytes = 0x10000 - base; /* up to the last byte */
  s->base[i] = (uint16_t)base;
  s->bytes[i] = (uint16_t)bytes;
}

static void d2ma_raw_compare_drive(const struct d2ma_raw_compare_cfg *cfg, struct rng *rng,
                                   struct d2ma_raw_compare_drive_state *s, const struct d2ma_raw_compare_out *last,
                                   struct d2ma_raw_compare_in *in) {
  (void)last;
  uint32_t n = (uint32_t)cfg->N, aim = rng_below(rng, n), edge;
  __builtin_memset(in, 0, sizeof *in);
  for (uint32_t k = 0; k < CHANGES; k++) change(s, rng, rng_below(rng, n));
  if (rng_percent(rng, 20)) change(s, rng, aim);
  edge = s->base[aim] + (rng_percent(rng, 50) ? s->bytes[aim] : 0U);
  in->configured = rng_percent(rng, 10) ? 0 : rng_u32(rng);
  if (n < 32) in->configured &= (UINT32_C(1) << n) - 1;
  for (uint32_t i = 0; i < n; i++) {
    in->base[i / 2] |= (uint32_t)s->base[i] << i % 2 * 16;
    in->bytes[i / 2] |= (uint32_t)s->bytes[i] << i % 2 * 16;
  }
  in->addr = (uint16_t)(edge + rng_below(rng, 3) - 1);
}

BLOCK_DRIVER(d2ma_raw_compare);
