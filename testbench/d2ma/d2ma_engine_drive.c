/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of d2ma_engine: a few CTAs whose warps configure and execute small buffers of every mode and access shared
 * memory near them, replies to taken requests, back-pressure, launches that kill entries, gaps. Whether an operation is
 * legal is random. */
#include "block/block_drive.h"
#include "d2ma_engine_ports.h"

#include <string.h>

enum { CTAS_MAX = 16, FLIGHTS_MAX = 64, GAP = 1 };

struct d2ma_engine_drive_state {
  uint32_t left, style, warps; /* the phase: warps per CTA */
  uint8_t cta, literal, started[CTAS_MAX], ready;
  uint8_t flight[FLIGHTS_MAX]; /* outstanding requests: cta * 4 + buf */
  uint32_t n_flights;
  uint8_t run; /* cta * 4 + buf of the last start */
  uint8_t asked, asked_cta, asked_warp;
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
  in->wr_foot = r >> 17 & 0x3ff;
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

/* Replies to earlier requests; a query, and the warp of the previous query. */
static void answers(const struct d2ma_engine_cfg *cfg, struct rng *rng, struct d2ma_engine_drive_state *s,
                    const struct d2ma_engine_out *last, struct d2ma_engine_in *in, uint8_t went) {
  uint32_t r = rng_u32(rng), q = rng_u32(rng);
  if (last->req_valid && s->ready && s->n_flights < FLIGHTS_MAX) s->flight[s->n_flights++] = s->run;
  if (last->ag_start || (last->go_start && went)) s->run = (uint8_t)(last->ag_cta << 2 | last->ag_buf);
  in->fl_en = s->n_flights && (r & 3) == 0;
  in->fl_long = (r >> 2 & 7) == 0;
  if (in->fl_en) {
    uint32_t k = rng_below(rng, s->n_flights);
    in->fl_cta = s->flight[k] >> 2, in->fl_buf = s->flight[k] & 3;
    s->flight[k] = s->flight[--s->n_flights];
  }
  in->wt_en = s->asked && (r >> 5 & 7);
  in->wt_cta = s->asked_cta, in->wt_warp = s->asked_warp;
  in->ld_valid = (r >> 8 & 3) == 0;
  in->ld_cta = in->wr_cta;
  in->ld_warp = (uint8_t)((in->wr_cta * 4u + (r >> 10 & 3) % s->warps) % (uint32_t)cfg->WARPS);
  in->ld_lo = q & 0x7ff;
  in->ld_hi = (uint16_t)(in->ld_lo + (q >> 11 & 0x1f));
  s->asked = in->ld_valid, s->asked_cta = in->ld_cta, s->asked_warp = in->ld_warp;
  in->req_ready = s->ready = (r >> 12 & 3) != 0;
  in->cst_ready = (r >> 14 & 3) != 0;
}

static void d2ma_engine_drive(const struct d2ma_engine_cfg *cfg, struct rng *rng, struct d2ma_engine_drive_state *s,
                              const struct d2ma_engine_out *last, struct d2ma_engine_in *in) {
  uint8_t went = in->wr_go;
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
  answers(cfg, rng, s, last, in, went);
  if (s->style == GAP) in->wr_en = in->clr_cta_en = in->exit_en = in->force_en = in->ld_valid = s->asked = 0;
  if (s->style == GAP) in->wt_en = 0;
}

BLOCK_DRIVER(d2ma_engine);
