/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of bdi_enc: lines that each code can just hold and just not, in which lanes near a base mix with small ones; zeros, one
 * value, plain lines; gaps. */
#include "bdi_enc_ports.h"
#include "block/block_drive.h"
#include "blocks/caba/bdi.h"

struct bdi_enc_drive_state {
  uint32_t gap;
};

/* Lanes of `lane` bytes that are signed deltas of `delta` bytes to 0 or to a base; seldom one lane just does not fit. */
static void near_base(struct rng *rng, uint8_t *line, uint32_t bytes, uint32_t lane, uint32_t delta) {
  uint64_t base = rng_u64(rng) >> rng_below(rng, 64), limit = UINT64_C(1) << (8 * delta - 1);
  uint32_t with = rng_below(rng, 4), odd = rng_below(rng, 4) ? UINT32_MAX : rng_below(rng, bytes / lane);
  for (uint32_t i = 0; i < bytes / lane; i++) {
    uint64_t value = (rng_u64(rng) & (2 * limit - 1)) - limit;
    if (rng_below(rng, 4) == 0) value = rng_below(rng, 2) ? limit - 1 : 0 - limit;
    if (i == odd) value = rng_below(rng, 2) ? limit : 0 - limit - 1;
    if (with == 0 || (with < 3 && rng_below(rng, 2))) value += base;
    bdi_put(line + i * lane, lane, value);
  }
}

/* A first lane of 8 bytes far from the others, each of which is a small number in its low half: deltas of 1 byte hold it as lanes of 4
 * bytes, deltas of 2 bytes as lanes of 8. */
static void halves(struct rng *rng, uint8_t *line, uint32_t bytes) {
  uint64_t low = 200 + rng_below(rng, 30000), high = 1 + rng_below(rng, 100);
  bdi_put(line, 8, high << 32 | low);
  for (uint32_t i = 1; i < bytes / 8; i++) bdi_put(line + 8 * i, 8, low + rng_below(rng, 100));
}

static void bdi_enc_drive(const struct bdi_enc_cfg *cfg, struct rng *rng, struct bdi_enc_drive_state *s,
                          const struct bdi_enc_out *last, struct bdi_enc_in *in) {
  uint8_t *line = (uint8_t *)in->in_line;
  uint32_t bytes = (uint32_t)cfg->LINE, how = rng_below(rng, 11);
  uint64_t one = rng_u64(rng);
  (void)last;
  __builtin_memset(in->in_line, 0, sizeof in->in_line);
  switch (how) {
    case 0: break;
    case 1:
      for (uint32_t i = 0; i < bytes / 8; i++) bdi_put(line + 8 * i, 8, one);
      if (rng_below(rng, 4) == 0) line[rng_below(rng, bytes)] ^= 1;
      break;
    case 2: near_base(rng, line, bytes, 8, 1); break;
    case 3: near_base(rng, line, bytes, 8, 2); break;
    case 4: near_base(rng, line, bytes, 8, 4); break;
    case 5: near_base(rng, line, bytes, 4, 1); break;
    case 6: near_base(rng, line, bytes, 4, 2); break;
    case 7: near_base(rng, line, bytes, 2, 1); break;
    case 8: halves(rng, line, bytes); break;
    case 9: line[rng_below(rng, bytes)] = (uint8_t)rng_below(rng, 256); break;
    default:
      for (uint32_t i = 0; i < bytes / 8; i++) bdi_put(line + 8 * i, 8, rng_u64(rng));
  }
  if (!s->gap && rng_below(rng, 64) == 0) s->gap = rng_below(rng, 12);
  in->in_valid = !s->gap && rng_below(rng, 16);
  if (s->gap) s->gap--;
}

BLOCK_DRIVER(bdi_enc);
