/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of onehot_index: mostly one input, often none, sometimes several. */
#include "block/block_drive.h"
#include "onehot_index_ports.h"

struct onehot_index_drive_state {
  uint8_t none;
};

static void onehot_index_drive(const struct onehot_index_cfg *cfg, struct rng *rng, struct onehot_index_drive_state *s,
                               const struct onehot_index_out *last, struct onehot_index_in *in) {
  (void)s, (void)last;
  uint32_t kind = rng_below(rng, 8);
  in->onehot = kind == 0 ? 0 : UINT64_C(1) << rng_below(rng, (uint32_t)cfg->N);
  if (kind == 1) in->onehot = rng_u64(rng) & UINT64_MAX >> (64 - cfg->N);
}

BLOCK_DRIVER(onehot_index);
