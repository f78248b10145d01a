/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of d2ma_ctrl_array: phases in which a few CTAs work on a few buffers, so that generations open and close,
 * with replies to requests, exits, launches that kill entries, the watchdog; phases of noise on every port; gaps. */
#include "block/block_drive.h"
#include "d2ma_ctrl_array_ports.h"

#include <string.h>

enum { STYLE_KERNEL, STYLE_STEADY, STYLE_WAIT, STYLE_NOISE, STYLE_GAP, STYLES };
enum { CTAS_MAX = 16, BUFS_MAX = 4, FLIGHTS_MAX = 64 };

/* chances out of 256 per cycle */
struct rates {
  uint8_t wr, clr, exit, force, fl, wt, taken, done, fp, wk;
};

struct d2ma_ctrl_array_drive_state {
  uint32_t left, style, ctas, warps; /* the phase: CTA slots, and warps per CTA, that it uses */
  uint8_t cta, literal, started[CTAS_MAX];
  uint8_t flight[FLIGHTS_MAX]; /* outstanding requests: cta * 4 + buf */
  uint32_t n_flights;
  uint8_t run; /* cta * 4 + buf of the last start */
};

static uint32_t at_most(uint32_t a, uint32_t b) { return a < b ? a : b; }

static void new_phase(const struct d2ma_ctrl_array_cfg *cfg, struct rng *rng, struct d2ma_ctrl_array_drive_state *s) {
  s->style = rng_below(rng, STYLES);
  s->left = s->style == STYLE_GAP ? 1 + rng_below(rng, 8) : 20 + rng_below(rng, 200);
  s->ctas = 1 + rng_below(rng, at_most((uint32_t)cfg->CTAS, 3));
  s->warps = 1 + rng_below(rng, at_most((uint32_t)cfg->WARPS, 4));
  s->cta = (uint8_t)rng_below(rng, (uint32_t)cfg->CTAS);
  if (!rng_below(rng, 4)) s->literal ^= 1;
}

/* Warp `i` of the CTA slot. Slots share no warps if there are enough. */
static uint32_t warp_of(const struct d2ma_ctrl_array_cfg *cfg, uint32_t cta, uint32_t i) {
  return (cta * 4 + i) % (uint32_t)cfg->WARPS;
}

static void noise(struct rng *rng, struct d2ma_ctrl_array_in *in) {
  uint64_t a = rng_u64(rng), b = rng_u64(rng);
  in->wr_cta = (uint8_t)a, in->wr_buf = (uint8_t)(a >> 8), in->wr_warp = (uint8_t)(a >> 16);
  in->clr_cta = (uint8_t)(a >> 24), in->force_cta = (uint8_t)(a >> 32), in->force_buf = (uint8_t)(a >> 40);
  in->fl_cta = (uint8_t)(a >> 48), in->fl_buf = (uint8_t)(a >> 56);
  in->wt_cta = (uint8_t)b, in->wt_warp = (uint8_t)(b >> 8), in->wr_kind = b >> 16 & 3, in->wr_grp = b >> 18 & 15;
  in->wr_go = (b >> 23 & 7) != 0, in->wt_hit = b >> 26 & 1;
  in->clr_warps = a ^ b << 7, in->exit_cta = b >> 32 & 15, in->exit_warp = b >> 36 & 63;
  in->fp_cta = b >> 42 & 15, in->fp_buf = b >> 46 & 3, in->wk_cta = b >> 48 & 15;
}

static void cut(const struct d2ma_ctrl_array_cfg *cfg, struct d2ma_ctrl_array_in *in) {
  uint32_t cta = (1U << block_bits((uint32_t)cfg->CTAS)) - 1, buf = (1U << block_bits((uint32_t)cfg->BUFS)) - 1;
  uint32_t warp = (1U << block_bits((uint32_t)cfg->WARPS)) - 1;
  uint64_t warps = cfg->WARPS == 64 ? UINT64_MAX : (UINT64_C(1) << cfg->WARPS) - 1;
  in->wr_cta &= cta, in->clr_cta &= cta, in->force_cta &= cta, in->fl_cta &= cta, in->wt_cta &= cta,
    in->exit_cta &= cta, in->fp_cta &= cta, in->wk_cta &= cta;
  in->wr_buf &= buf, in->force_buf &= buf, in->fl_buf &= buf, in->fp_buf &= buf;
  in->wr_warp &= warp, in->wt_warp &= warp, in->exit_warp &= warp;
  in->clr_warps &= warps;
}

/* Replaces noise by numbers of the phase's CTAs and warps. */
static void aim(const struct d2ma_ctrl_array_cfg *cfg, struct rng *rng, const struct d2ma_ctrl_array_drive_state *s,
                struct d2ma_ctrl_array_in *in) {
  uint32_t r = rng_u32(rng), bufs = (uint32_t)cfg->BUFS;
  uint32_t cta = (s->cta + (r & 255) % s->ctas) % (uint32_t)cfg->CTAS, i = (r >> 8 & 255) % s->warps;
  in->wr_cta = in->force_cta = in->wt_cta = (uint8_t)cta;
  in->wr_warp = (uint8_t)warp_of(cfg, cta, i);
  in->wr_buf = in->force_buf = (uint8_t)((r >> 16 & 3) % at_most(bufs, 2));
  in->wt_warp = (uint8_t)warp_of(cfg, cta, (r >> 18 & 255) % s->warps);
  in->exit_cta = (uint8_t)cta;
  in->exit_warp = (uint8_t)warp_of(cfg, cta, r >> 26 & 3);
  in->clr_cta = in->fp_cta = in->wk_cta = (uint8_t)cta;
  in->fp_buf = in->wr_buf;
  in->clr_warps = 0;
  for (uint32_t k = 0; k < s->warps; k++) in->clr_warps |= UINT64_C(1) << warp_of(cfg, cta, k);
  if (r >> 28 & 3) in->wr_kind = 1 + (r >> 30 & 1);
  if (in->wr_kind == 1) in->wr_grp |= 3;
  if (in->wr_kind == 2) in->wr_grp = 1;
}

/* Requests taken in the previous cycle become outstanding; mostly one reply comes. */
static void replies(struct rng *rng, struct d2ma_ctrl_array_drive_state *s, const struct d2ma_ctrl_array_out *last,
                    struct d2ma_ctrl_array_in *in) {
  if (in->ag_taken && last->busy && s->n_flights < FLIGHTS_MAX) s->flight[s->n_flights++] = s->run;
  if (last->ag_start) s->run = (uint8_t)(last->ag_cta << 2 | last->ag_buf);
  if (!s->n_flights || !rng_below(rng, 32)) return;
  uint32_t k = rng_below(rng, s->n_flights);
  in->fl_cta = s->flight[k] >> 2;
  in->fl_buf = s->flight[k] & 3;
  if (in->fl_en) s->flight[k] = s->flight[--s->n_flights];
}

static void d2ma_ctrl_array_drive(const struct d2ma_ctrl_array_cfg *cfg, struct rng *rng,
                                  struct d2ma_ctrl_array_drive_state *s, const struct d2ma_ctrl_array_out *last,
                                  struct d2ma_ctrl_array_in *in) {
  static const struct rates rates[STYLES] = {
    [STYLE_KERNEL] =
      {.wr = 100, .clr = 1, .exit = 2, .force = 1, .fl = 100, .wt = 40, .taken = 150, .done = 60, .fp = 40, .wk = 10},
    [STYLE_STEADY] =
      {.wr = 30, .clr = 0, .exit = 0, .force = 0, .fl = 200, .wt = 10, .taken = 200, .done = 30, .fp = 20, .wk = 5},
    [STYLE_WAIT] =
      {.wr = 60, .clr = 3, .exit = 10, .force = 6, .fl = 40, .wt = 160, .taken = 60, .done = 120, .fp = 60, .wk = 30},
    [STYLE_NOISE] = {.wr = 160,
                     .clr = 20,
                     .exit = 20,
                     .force = 20,
                     .fl = 128,
                     .wt = 128,
                     .taken = 128,
                     .done = 128,
                     .fp = 128,
                     .wk = 40},
    [STYLE_GAP] = {.wr = 0},
  };
  if (s->left == 0) new_phase(cfg, rng, s);
  s->left--;
  const struct rates *p = &rates[s->style];
  uint8_t fl_before = in->ag_taken;
  uint64_t go = rng_u64(rng), data = rng_u64(rng);
  noise(rng, in);
  if (s->style != STYLE_NOISE) aim(cfg, rng, s, in);
  cut(cfg, in);
  in->literal = s->literal;
  in->wr_en = (uint8_t)go < p->wr;
  in->clr_cta_en = (uint8_t)(go >> 8) < p->clr;
  if (s->style == STYLE_KERNEL && !s->started[in->wr_cta & 15]) {
    s->started[in->wr_cta & 15] = 1;
    in->clr_cta_en = 1;
  }
  in->exit_en = (uint8_t)(go >> 16) < p->exit;
  in->force_en = (uint8_t)(go >> 24) < p->force;
  in->fl_en = (uint8_t)(go >> 32) < p->fl;
  in->wt_en = (uint8_t)(go >> 40) < p->wt;
  in->fp_en = (uint8_t)(data >> 40) < p->fp;
  in->wk_en = (uint8_t)(data >> 48) < p->wk;
  in->ag_taken = fl_before;
  replies(rng, s, last, in);
  in->ag_taken = (uint8_t)(go >> 48) < p->taken;
  in->ag_done = (uint8_t)(go >> 56) < p->done;
  for (int i = 0; i < 6; i++) in->wr_data[i] = (uint32_t)(data >> i * 5) ^ (uint32_t)(go >> i * 3);
  in->wr_data[5] &= 0x1fff;
  if ((go >> 60 & 7) == 0) in->wr_data[2] &= 0xffff; /* no elements */
}

BLOCK_DRIVER(d2ma_ctrl_array);
