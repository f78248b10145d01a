/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of d2ma_footprint: operations on a few entries or on all, most of which move data; small and large buffers of
 * every mode, read at once or late; operations on the entry that is computed; gaps, in which the fields are noise. */
#include "block/block_drive.h"
#include "d2ma_footprint_ports.h"

enum { STYLE_CALM, STYLE_FEW, STYLE_STORM, STYLE_GAP, STYLES };

struct d2ma_footprint_drive_state {
  uint32_t left, style;
};

/* A buffer of any mode. */
static void draw_fields(struct rng *rng, struct d2ma_footprint_in *in) {
  uint64_t a = rng_u64(rng);
  in->dim2 = a & 1;
  in->mode = a >> 1 & 3;
  in->esz = a >> 3 & 3;
  in->sbase = (uint16_t)(a >> 5);
  in->hcols = a >> 21 & 7;
  in->hrows = in->mode == 1 ? a >> 24 & 7 : a >> 24 & (a >> 40 & 1 ? 0x3fff : 7);
  uint32_t rows = a >> 32 & (a >> 41 & 1 ? 0xff : 0xf), columns = a >> 44 & (a >> 42 & 1 ? 0xff : 0x1f);
  in->count = (uint16_t)(rows << 8 | columns);
  if (!in->dim2 && (a >> 43 & 1)) in->count &= 0x1ff;
  if ((a >> 52 & 15) == 0) in->count = a >> 56 & 1 ? 0 : in->count & 0xff00;
  if (in->mode == 2 && (a >> 57 & 1)) in->count = (uint16_t)(in->count >> 4 << 4); /* sums that end with a line */
  if ((a >> 58 & 31) == 0) in->hrows = in->hcols = UINT16_MAX;                     /* violates the contract */
}

static void d2ma_footprint_drive(const struct d2ma_footprint_cfg *cfg, struct rng *rng,
                                 struct d2ma_footprint_drive_state *s, const struct d2ma_footprint_out *last,
                                 struct d2ma_footprint_in *in) {
  static const uint8_t rate[STYLES] = {[STYLE_CALM] = 8, [STYLE_FEW] = 60, [STYLE_STORM] = 128};
  static const uint8_t answer[STYLES] = {[STYLE_CALM] = 200, [STYLE_FEW] = 160, [STYLE_STORM] = 100, [STYLE_GAP] = 200};
  (void)last;
  if (!s->left) {
    s->style = rng_below(rng, STYLES);
    s->left = s->style == STYLE_GAP ? 1 + rng_below(rng, 60) : 20 + rng_below(rng, 200);
  }
  s->left--;
  uint32_t r = rng_u32(rng), cta_bits = block_bits((uint32_t)cfg->CTAS), buf_bits = block_bits((uint32_t)cfg->BUFS);
  in->wr_en = (uint8_t)r < rate[s->style];
  in->wr_cta = (uint8_t)(r >> 8 & ((1U << cta_bits) - 1));
  in->wr_buf = (uint8_t)(r >> 13 & ((1U << buf_bits) - 1));
  if (s->style == STYLE_FEW) in->wr_cta &= 1;
  in->wr_go = (r >> 16 & 7) != 0;
  in->rd_ok = (uint8_t)(r >> 24) < answer[s->style];
  in->wr_sbase = (uint16_t)rng_u32(rng);
  draw_fields(rng, in);
}

BLOCK_DRIVER(d2ma_footprint);
