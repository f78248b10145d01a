/* SPDX-License-Identifier: Apache-2.0 */
/* The module whose memory has an address, and the address there (Vijaykumar 2019, 3.4.5). The header of rtl/ldesc/numa_decode.v states
 * the contract of the ports. */
#include "block/block.h"
#include "numa_decode_ports.h"

enum { FIRST_BIT = 7, B_MOST = 9 };

struct numa_decode_state {
  uint8_t none; /* combinational */
};

static void numa_decode_reset(const struct numa_decode_cfg *cfg, struct numa_decode_state *s) {
  (void)cfg;
  s->none = 0;
}

static void numa_decode_eval(const struct numa_decode_cfg *cfg, const struct numa_decode_state *s,
                             const struct numa_decode_in *in, struct numa_decode_out *out) {
  (void)s;
  uint32_t bits = (uint32_t)__builtin_ctz((uint32_t)cfg->ZONES);
  uint32_t at = FIRST_BIT + (in->b < B_MOST ? in->b : B_MOST);
  uint64_t below = in->pa & ((UINT64_C(1) << at) - 1);
  out->zone = (uint8_t)(in->pa >> at & ((UINT64_C(1) << bits) - 1));
  out->lpa = in->pa >> (at + bits) << at | below;
}

static void numa_decode_tick(const struct numa_decode_cfg *cfg, struct numa_decode_state *s,
                             const struct numa_decode_in *in, const struct numa_decode_out *out) {
  (void)cfg, (void)s, (void)in, (void)out;
}

#include "numa_decode_model.inc"
