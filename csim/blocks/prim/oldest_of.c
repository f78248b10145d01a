/* SPDX-License-Identifier: Apache-2.0 */
/* Picks the valid client with the oldest arrival stamp. Stamps wrap, so "older" is not transitive for arbitrary stamps:
 * the winner is found from client 0 upwards, as in the RTL. */
#include "block/block.h"
#include "oldest_of_ports.h"

struct oldest_of_state {
  uint8_t none; /* combinational */
};

static void oldest_of_reset(const struct oldest_of_cfg *cfg, struct oldest_of_state *s) {
  (void)cfg;
  s->none = 0;
}

static uint32_t stamp_of(const uint32_t *flat, uint32_t at, uint32_t bits) {
  uint64_t x = flat[at / 32];
  if (at % 32 + bits > 32) x |= (uint64_t)flat[at / 32 + 1] << 32;
  return (uint32_t)(x >> at % 32) & ((1U << bits) - 1);
}

static void oldest_of_eval(const struct oldest_of_cfg *cfg, const struct oldest_of_state *s,
                           const struct oldest_of_in *in, struct oldest_of_out *out) {
  (void)s;
  uint32_t bits = (uint32_t)cfg->W, best = 0, pick = 0;
  for (uint32_t n = 0; n < (uint32_t)cfg->N; n++) {
    if (!(in->valid >> n & 1)) continue;
    uint32_t stamp = stamp_of(in->stamp, n * bits, bits);
    if (pick && !((stamp - best) >> (bits - 1) & 1)) continue;
    pick = 1U << n;
    best = stamp;
  }
  out->pick = (uint16_t)pick;
}

static void oldest_of_tick(const struct oldest_of_cfg *cfg, struct oldest_of_state *s, const struct oldest_of_in *in,
                           const struct oldest_of_out *out) {
  (void)cfg, (void)s, (void)in, (void)out;
}

#include "oldest_of_model.inc"
