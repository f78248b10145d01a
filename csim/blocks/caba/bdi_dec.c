/* SPDX-License-Identifier: Apache-2.0 */
/* Decompresses a line coded by base and deltas (Vijaykumar 2019, 5.5.1). The header of rtl/caba/bdi_dec.v states the layout. */
#include "bdi_dec_ports.h"
#include "block/block.h"
#include "blocks/caba/bdi.h"

struct bdi_dec_state {
  uint8_t none; /* combinational */
};

static void bdi_dec_reset(const struct bdi_dec_cfg *cfg, struct bdi_dec_state *s) {
  (void)cfg;
  s->none = 0;
}

static void expand(const uint8_t *image, uint32_t line, struct bdi_layout l, uint8_t *to) {
  uint64_t base = bdi_get(image + l.base, l.lane);
  for (uint32_t i = 0; i < line / l.lane; i++) {
    uint64_t value = bdi_signed(image + l.deltas + i * l.delta, l.delta);
    if (image[l.mask + i / 8] >> i % 8 & 1) value += base;
    bdi_put(to + i * l.lane, l.lane, value);
  }
}

static void bdi_dec_eval(const struct bdi_dec_cfg *cfg, const struct bdi_dec_state *s, const struct bdi_dec_in *in,
                         struct bdi_dec_out *out) {
  uint8_t image[BDI_LINE_MAX + BDI_HEAD] = {0}, *to = (uint8_t *)out->line; /* deltas may end behind a small line */
  uint32_t line = (uint32_t)cfg->LINE;
  (void)s;
  __builtin_memset(out, 0, sizeof *out);
  __builtin_memcpy(image, in->image, line);
  switch (in->enc) {
    case BDI_ZEROS: break;
    case BDI_REP8:
      for (uint32_t i = 0; i < line / 8; i++) __builtin_memcpy(to + 8 * i, image + 8, 8);
      break;
    case BDI_B8D1: expand(image, line, bdi_b8d1, to); break;
    case BDI_B8D2: expand(image, line, bdi_b8d2, to); break;
    case BDI_B8D4: expand(image, line, bdi_b8d4, to); break;
    case BDI_B4D1: expand(image, line, bdi_b4d1, to); break;
    case BDI_B4D2: expand(image, line, bdi_b4d2, to); break;
    case BDI_B2D1: expand(image, line, bdi_b2d1, to); break;
    default: __builtin_memcpy(to, image, line); break;
  }
}

static void bdi_dec_tick(const struct bdi_dec_cfg *cfg, struct bdi_dec_state *s, const struct bdi_dec_in *in,
                         const struct bdi_dec_out *out) {
  (void)cfg, (void)s, (void)in, (void)out;
}

#include "bdi_dec_model.inc"
