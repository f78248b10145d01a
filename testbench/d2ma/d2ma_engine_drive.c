/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of d2ma_engine: a few CTAs whose warps configure and execute small buffers of every mode and access shared
 * memory near them, replies to taken requests, back-pressure, launches that kill entries, gaps. Whether an operation is
 * legal is random. */
#include "block/block_drive.h"
#include "d2ma_engine_ports.h"

#include <string.h>

enum { CTAS_MAX = 16, MSHRS_MAX = 256, LANES_MAX = 32, GAP = 1 };

struct d2ma_engine_drive_state {
  uint32_t left, style, warps; /* the phase: warps per CTA */
  uint8_t cta, literal, started[CTAS_MAX];
  uint8_t used[MSHRS_MAX]; /* MSHRs with outstanding requests */
  uint32_t n_used;
  struct {
    uint8_t valid, cta, warp, store;
  } asked[2]; /* accesses of the last two cycles */
};

static uint32_t at_most(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* A small buffer of any mode. */
static void draw_entry(struct rng *rng, uint32_t *v) {
  uint64_t a = rng_u64(rng), b = rng_u64(rng);
  uint32_t dim2 = a & 1, mode = a >> 1 & 3, esz = a >> 3 & 3, halo = mode == 1;
  uint32_t count = dim2 ? (uint32_t)(a >> 5 & 3) << 8 | (a >> 7 & 7) : a >> 10 & (a >> 17 & 1 ? 0xff : 0xf);
  uint32_t hrows = halo ? a >> 18 & 1 : 1 + (a >> 18 & 3), hcols = a >> 20 & 1, region = a >> 21 & 0xff;
  v[0] = (uint32_t)b & ~7u, v[1] = (uint32_t)(b >> 32);
  v[2] = (uint32_t)(a >> 29 & 0x3f8) | count << 16;
  v[3] = (uint32_t)(a >> 40 & 0xf) | esz << 16 | dim2 << 18 | mode << 19 | hrows << 21;
  v[4] = hcols << 5 | region << 21 | (uint32_t)(a >> 48 & 7) << 29;
  v[5] = (uint32_t)(a >> 51) & 0x1fff;
}

static void operation(const struct d2ma_engine_cfg *cfg, struct rng *rng, const struct d2ma_engine_drive_state *s,
                      struct d2ma_engine_in *in) {
  uint32_t r = rng_u32(rng), cta = (s->cta + (r & 1)) % (uint32_t)cfg->CTAS;
  in->wr_en = (r >> 1 & 7) < 3;
  in->wr_kind = r >> 4 & 3;
  in->wr_cta = (uint8_t)cta;
  in->wr_buf = (uint8_t)((r >> 6 & 3) % at_most((uint32_t)cfg->BUFS, 2));
  in->wr_warp = (uint8_t)((cta * 4 + (r >> 8 & 3) % s->warps) % (uint32_t)cfg->WARPS);
  in->wr_grp = in->wr_kind == 1 ? 3 | (r >> 10 & 3) << 2 : in->wr_kind == 2 ? 1 : r >> 10 & 15;
  in->literal = s->literal;
  in->wr_go = (r >> 14 & 7) != 0;
  draw_entry(rng, in->wr_data);
}

static void life(const struct d2ma_engine_cfg *cfg, struct rng *rng, struct d2ma_engine_drive_state *s,
                 struct d2ma_engine_in *in) {
  uint32_t r = rng_u32(rng);
  in->clr_cta_en = !s->started[in->wr_cta] || (r & 0x3ff) == 0;
  s->started[in->wr_cta] |= in->clr_cta_en;
  in->clr_cta = in->exit_cta = in->force_cta = in->wr_cta;
  in->clr_warps = 0;
  for (uint32_t k = 0; k < s->warps; k++) in->clr_warps |= UINT64_C(1) << (in->wr_cta * 4u + k) % (uint32_t)cfg->WARPS;
  in->exit_en = (r >> 10 & 0xff) == 0;
  in->exit_warp = (uint8_t)((in->wr_cta * 4u + (r >> 18 & 3)) % (uint32_t)cfg->WARPS);
  in->force_en = (r >> 20 & 0x7f) == 0;
  in->force_buf = in->wr_buf;
}

/* Requests that were taken occupy MSHRs until their replies, which come in any order. */
static void memory(const struct d2ma_engine_cfg *cfg, struct rng *rng, struct d2ma_engine_drive_state *s,
                   const struct d2ma_engine_out *last, struct d2ma_engine_in *in) {
  uint32_t r = rng_u32(rng), n = (uint32_t)cfg->MSHRS;
  if (last->taken) s->used[in->req_mshr] = 1, s->n_used++;
  if (in->fill_en) s->used[in->fill_mshr] = 0, s->n_used--;
  in->req_mshr = (uint8_t)rng_below(rng, n);
  while (s->n_used < n && s->used[in->req_mshr]) in->req_mshr = (uint8_t)((in->req_mshr + 1U) % n);
  in->free = (uint16_t)(n - s->n_used);
  in->reserve = (r & 15) == 0;
  in->req_ready = (r >> 4 & 3) != 0;
  in->cst_ready = (r >> 6 & 3) != 0;
  in->fill_en = s->n_used && (r >> 8 & 3) == 0;
  in->fill_mshr = (uint8_t)rng_below(rng, n);
  while (in->fill_en && !s->used[in->fill_mshr]) in->fill_mshr = (uint8_t)((in->fill_mshr + 1U) % n);
}

/* An access near the buffers, and the answer to that of two cycles ago. */
static void access(const struct d2ma_engine_cfg *cfg, struct rng *rng, struct d2ma_engine_drive_state *s,
                   struct d2ma_engine_in *in) {
  uint32_t r = rng_u32(rng), q = rng_u32(rng);
  uint16_t lane[LANES_MAX];
  in->wt_en = s->asked[1].valid && (r & 7);
  in->wt_cta = s->asked[1].cta, in->wt_warp = s->asked[1].warp, in->wt_store = s->asked[1].store;
  in->at_valid = (r >> 3 & 3) == 0;
  in->at_cta = in->wr_cta;
  in->at_warp = (uint8_t)((in->wr_cta * 4u + (r >> 5 & 3) % s->warps) % (uint32_t)cfg->WARPS);
  for (uint32_t n = 0; n < LANES_MAX; n++)
    lane[n] = n < (uint32_t)cfg->LANES ? (uint16_t)((q & 0x7ff) + n * (q >> 11 & 3)) : 0;
  memcpy(in->at_addr, lane, sizeof lane);
  in->at_mask = (q >> 13 & 3 ? UINT32_MAX : q) & (uint32_t)((UINT64_C(1) << cfg->LANES) - 1);
  in->at_last = q >> 28 & 3;
  s->asked[1] = s->asked[0];
  s->asked[0].valid = in->at_valid && in->at_mask;
  s->asked[0].cta = in->at_cta, s->asked[0].warp = in->at_warp;
  s->asked[0].store = (r >> 7 & 3) == 0;
}

static void d2ma_engine_drive(const struct d2ma_engine_cfg *cfg, struct rng *rng, struct d2ma_engine_drive_state *s,
                              const struct d2ma_engine_out *last, struct d2ma_engine_in *in) {
  if (s->left == 0) {
    s->style = rng_below(rng, 6);
    s->left = s->style == GAP ? 1 + rng_below(rng, 60) : 50 + rng_below(rng, 400);
    s->cta = (uint8_t)rng_below(rng, (uint32_t)cfg->CTAS);
    s->warps = 1 + rng_below(rng, at_most((uint32_t)cfg->WARPS, 4));
    if (!rng_below(rng, 6)) s->literal ^= 1;
  }
  s->left--;
  operation(cfg, rng, s, in);
  life(cfg, rng, s, in);
  memory(cfg, rng, s, last, in);
  access(cfg, rng, s, in);
  if (s->style == GAP) in->wr_en = in->clr_cta_en = in->exit_en = in->force_en = in->at_valid = in->wt_en = 0;
  if (s->style == GAP) s->asked[0].valid = s->asked[1].valid = 0;
}

BLOCK_DRIVER(d2ma_engine);
