/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/caba/coder.h"

#include "blocks/caba/bdi.h"

#include <string.h>

enum { TRIED = 6, ALGORITHM = 1 << 4 }; /* codes with a base; the high half of an image's first byte: base and delta */

/* By bursts of 32 bytes, the fewest first. */
static const struct {
  uint8_t code;
  const struct bdi_layout *layout;
} tried[TRIED] = {{BDI_B8D1, &bdi_b8d1}, {BDI_B4D1, &bdi_b4d1}, {BDI_B8D2, &bdi_b8d2},
                  {BDI_B4D2, &bdi_b4d2}, {BDI_B2D1, &bdi_b2d1}, {BDI_B8D4, &bdi_b8d4}};

static uint32_t lanes_of(const struct bdi_layout *l) { return CABA_LINE / l->lane; }
static uint32_t bytes_of(const struct bdi_layout *l) { return l->deltas + lanes_of(l) * l->delta; }

static uint64_t half_of(const struct bdi_layout *l) { return (UINT64_C(1) << 8 * l->delta) / 2; }

/* `value`, of a lane, is the sign-extension of its lowest bytes. */
static bool is_small(const struct bdi_layout *l, uint64_t value) {
  return ((value + half_of(l)) & bdi_ones(8U * l->lane)) < 2 * half_of(l);
}

static bool try_layout(const struct caba_coder *c, const struct bdi_layout *l, const uint8_t *line, uint8_t *image) {
  uint64_t base = 0, adds = 0;
  bool has_base = false;
  for (uint32_t i = 0; i < lanes_of(l); i++) {
    uint64_t value = bdi_get(line + i * l->lane, l->lane), delta = value;
    bool small = is_small(l, value);
    if (!has_base && (c->first_base || !small)) {
      base = value;
      has_base = true;
    }
    if (!small) {
      delta = value - base;
      if (!is_small(l, delta)) return false;
      adds |= UINT64_C(1) << i;
    }
    bdi_put(image + l->deltas + i * l->delta, l->delta, delta);
  }
  bdi_put(image + l->base, l->lane, base);
  for (uint32_t i = 0; i < lanes_of(l); i += 8) image[l->mask + i / 8] = (uint8_t)(adds >> i);
  return true;
}

static bool repeats(const uint8_t *line) { return !memcmp(line, line + 8, CABA_LINE - 8); }

uint32_t caba_encode(const struct caba_coder *c, const uint8_t line[CABA_LINE], uint8_t image[CABA_LINE]) {
  static const uint8_t zeros[8];
  memset(image, 0, CABA_LINE);
  if (repeats(line)) {
    bool zero = !memcmp(line, zeros, 8);
    image[0] = ALGORITHM | (zero ? BDI_ZEROS : BDI_REP8);
    if (!zero) memcpy(image + 8, line, 8);
    return zero ? 1 : 16;
  }
  for (uint32_t k = 0; k < TRIED; k++) {
    const struct bdi_layout *l = tried[k].layout;
    if (bytes_of(l) > c->most) continue;
    memset(image, 0, CABA_LINE);
    if (!try_layout(c, l, line, image)) continue;
    image[0] = (uint8_t)(ALGORITHM | tried[k].code);
    return bytes_of(l);
  }
  memcpy(image, line, CABA_LINE);
  return CABA_LINE;
}

static void expand(const struct bdi_layout *l, const uint8_t *image, uint8_t *line) {
  uint64_t base = bdi_get(image + l->base, l->lane);
  for (uint32_t i = 0; i < lanes_of(l); i++) {
    bool add = image[l->mask + i / 8] >> i % 8 & 1;
    uint64_t delta = (bdi_get(image + l->deltas + i * l->delta, l->delta) ^ half_of(l)) - half_of(l);
    bdi_put(line + i * l->lane, l->lane, delta + (add ? base : 0));
  }
}

void caba_decode(const uint8_t image[CABA_LINE], uint32_t bytes, uint8_t line[CABA_LINE]) {
  if (bytes == CABA_LINE) {
    memcpy(line, image, CABA_LINE);
    return;
  }
  uint8_t code = image[0] & 15;
  memset(line, 0, CABA_LINE);
  if (code == BDI_REP8)
    for (uint32_t i = 0; i < CABA_LINE; i += 8) memcpy(line + i, image + 8, 8);
  for (uint32_t k = 0; k < TRIED; k++)
    if (tried[k].code == code) expand(tried[k].layout, image, line);
}
