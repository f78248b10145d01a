/* SPDX-License-Identifier: Apache-2.0 */
/* One-hot to binary encoder; for several inputs the OR of their numbers, as in the RTL. */
#include "block/block.h"
#include "onehot_index_ports.h"

struct onehot_index_state {
  uint8_t none; /* combinational */
};

static void onehot_index_reset(const struct onehot_index_cfg *cfg, struct onehot_index_state *s) {
  (void)cfg;
  s->none = 0;
}

static void onehot_index_eval(const struct onehot_index_cfg *cfg, const struct onehot_index_state *s,
                              const struct onehot_index_in *in, struct onehot_index_out *out) {
  (void)s;
  uint32_t index = 0;
  for (uint64_t left = in->onehot; left; left &= left - 1)
    index |= (uint32_t)__builtin_ctzll(left) / (uint32_t)cfg->GROUP;
  out->index = (uint8_t)index;
}

static void onehot_index_tick(const struct onehot_index_cfg *cfg, struct onehot_index_state *s,
                              const struct onehot_index_in *in, const struct onehot_index_out *out) {
  (void)cfg, (void)s, (void)in, (void)out;
}

#include "onehot_index_model.inc"
