/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of lfsr: steps with gaps. */
#include "block/block_drive.h"
#include "lfsr_ports.h"

struct lfsr_drive_state {
  uint8_t none;
};

static void lfsr_drive(const struct lfsr_cfg *cfg, struct rng *rng, struct lfsr_drive_state *s,
                       const struct lfsr_out *last, struct lfsr_in *in) {
  (void)cfg, (void)s, (void)last;
  in->step = rng_percent(rng, 75);
}

BLOCK_DRIVER(lfsr);
