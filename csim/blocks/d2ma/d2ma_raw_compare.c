/* SPDX-License-Identifier: Apache-2.0 */
/* The read-after-write circuits of D2MA as drawn (Jamshidi 2014, figure 7): base <= address < base + bytes. */
#include "block/block.h"
#include "d2ma_raw_compare_ports.h"

struct d2ma_raw_compare_state {
  uint8_t none; /* combinational */
};

static void d2ma_raw_compare_reset(const struct d2ma_raw_compare_cfg *cfg, struct d2ma_raw_compare_state *s) {
  (void)cfg;
  s->none = 0;
}

static void d2ma_raw_compare_eval(const struct d2ma_raw_compare_cfg *cfg, const struct d2ma_raw_compare_state *s,
                                  const struct d2ma_raw_compare_in *in, struct d2ma_raw_compare_out *out) {
  (void)s;
  uint32_t hits = 0;
  for (uint32_t n = 0; n < (uint32_t)cfg->N; n++) {
    uint32_t base = in->base[n / 2] >> n % 2 * 16 & 0xffff, bytes = in->bytes[n / 2] >> n % 2 * 16 & 0xffff;
    uint32_t inside = (in->addr >= base) & (in->addr < base + bytes); /* no branch, which would be guessed wrong */
    hits |= inside << n;
  }
  out->hit = hits & in->configured;
}

static void d2ma_raw_compare_tick(const struct d2ma_raw_compare_cfg *cfg, struct d2ma_raw_compare_state *s,
                                  const struct d2ma_raw_compare_in *in, const struct d2ma_raw_compare_out *out) {
  (void)cfg, (void)s, (void)in, (void)out;
}

#include "d2ma_raw_compare_model.inc"
