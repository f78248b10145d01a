/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of bdi_dec: every code, also those that mean plain, over random images, images of few bits, masks of all ones and
 * zeros, bases and deltas at their ends. */
#include "bdi_dec_ports.h"
#include "block/block_drive.h"

#include <string.h>

struct bdi_dec_drive_state {
  uint8_t none;
};

static void bdi_dec_drive(const struct bdi_dec_cfg *cfg, struct rng *rng, struct bdi_dec_drive_state *s,
                          const struct bdi_dec_out *last, struct bdi_dec_in *in) {
  (void)s, (void)last;
  uint8_t image[sizeof in->image];
  uint32_t how = rng_below(rng, 4);
  for (uint32_t i = 0; i < sizeof image; i++) {
    uint8_t random = (uint8_t)rng_below(rng, 256);
    image[i] = how == 0 ? random : how == 1 ? (uint8_t)(random & 0x81) : how == 2 ? (uint8_t)(random | 0x7e) : 0;
  }
  if (rng_below(rng, 4) == 0) memset(image + 2, rng_below(rng, 2) ? 0xff : 0, 6); /* masks of 8- and 4-byte lanes */
  if (rng_below(rng, 4) == 0) memset(image + 8, rng_below(rng, 2) ? 0xff : 0, 8); /* base; mask of 2-byte lanes */
  if (rng_below(rng, 16) == 0) memset(image, rng_below(rng, 2) ? 0xff : 0, sizeof image);
  if (how == 3) image[rng_below(rng, (uint32_t)cfg->LINE)] ^= (uint8_t)(1u << rng_below(rng, 8));
  memset(in->image, 0, sizeof in->image);
  memcpy(in->image, image, (size_t)cfg->LINE);
  in->enc = (uint8_t)rng_below(rng, rng_below(rng, 8) ? 8 : 16);
}

BLOCK_DRIVER(bdi_dec);
