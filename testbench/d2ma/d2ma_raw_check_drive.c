/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of d2ma_raw_check: phases that work on one CTA slot or on all, with accesses aimed at
 * the edges of the ranges written before, ties on one entry, numbers beyond the parameters, and
 * idle gaps with noise on the fields. */
#include "block/block_drive.h"
#include "d2ma_raw_check_ports.h"

enum { ROWS_MAX = 64 };
/* kinds of phases; the rates are chances out of 256 per cycle */
enum { STYLE_QUERY, STYLE_TRAFFIC, STYLE_TIES, STYLE_STORM, STYLE_GAP, STYLES };

struct rates {
  uint8_t wr, set, clr, arm, arm_clr, ld, focus;
};

struct d2ma_raw_check_drive_state {
  uint32_t left, style;
  uint8_t cta, buf, warp;   /* focus of the phase */
  uint16_t start[ROWS_MAX]; /* ranges written so far, as targets of accesses; indexed by the numbers on the port */
  uint32_t foot[ROWS_MAX];
};

/* A number for a port of `bits` bits: mostly `focus` in a focussed phase, otherwise any number of
 * that width. */
static inline uint8_t number(uint32_t random, uint32_t bits, uint8_t focus, uint8_t chance) {
  if ((random & 0xff) < chance) return focus;
  return (uint8_t)(random >> 8 & ((1U << bits) - 1));
}

static void new_range(struct rng *rng, struct d2ma_raw_check_in *in) {
  uint32_t r = rng_u32(rng), kind = r & 7;
  in->wr_sbase = (uint16_t)(kind < 5 ? r >> 8 & 0x3f : r >> 8);
  if (kind < 3) in->wr_foot = r >> 24 & 0x3f;
  else if (kind < 6) in->wr_foot = rng_below(rng, 65537U - in->wr_sbase);
  else if (kind == 6) in->wr_foot = 65536U - in->wr_sbase; /* up to the last byte */
  else in->wr_foot = rng_below(rng, 64) ? 0 : r >> 15;     /* empty; rarely a sum above 65536 */
}

/* An access at the edges of the range (start, foot), one byte to either side included. */
static void aim(uint32_t r, uint32_t start, uint32_t foot, struct d2ma_raw_check_in *in) {
  uint32_t edge = r & 1 ? start : start + foot, slip = (r >> 1 & 3) - 1;
  uint32_t span = r >> 3 & 3 ? r >> 8 & 0x7f : r >> 8 & 0x7fff;
  if (r >> 5 & 1) { /* ends at the edge */
    in->ld_hi = (uint16_t)(edge + slip);
    in->ld_lo = in->ld_hi > span ? (uint16_t)(in->ld_hi - span) : 0;
  } else {
    in->ld_lo = (uint16_t)(edge + slip);
    in->ld_hi = in->ld_lo + span > 0xffff ? 0xffff : (uint16_t)(in->ld_lo + span);
  }
}

static void new_phase(const struct d2ma_raw_check_cfg *cfg, struct rng *rng, struct d2ma_raw_check_drive_state *s) {
  s->style = rng_below(rng, STYLES);
  s->left = 1 + rng_below(rng, s->style == STYLE_GAP ? 8 : 48);
  s->cta = (uint8_t)rng_below(rng, (uint32_t)cfg->CTAS);
  s->buf = (uint8_t)rng_below(rng, (uint32_t)cfg->BUFS);
  s->warp = (uint8_t)rng_below(rng, (uint32_t)cfg->WARPS);
}

static void d2ma_raw_check_drive(const struct d2ma_raw_check_cfg *cfg, struct rng *rng,
                                 struct d2ma_raw_check_drive_state *s, const struct d2ma_raw_check_out *last,
                                 struct d2ma_raw_check_in *in) {
  static const struct rates rates[STYLES] = {
    [STYLE_QUERY] = {.wr = 4, .set = 8, .clr = 4, .arm = 8, .arm_clr = 2, .ld = 240, .focus = 200},
    [STYLE_TRAFFIC] = {.wr = 40, .set = 40, .clr = 40, .arm = 60, .arm_clr = 20, .ld = 160, .focus = 128},
    [STYLE_TIES] = {.wr = 128, .set = 128, .clr = 128, .arm = 128, .arm_clr = 64, .ld = 200, .focus = 240},
    [STYLE_STORM] = {.wr = 128, .set = 128, .clr = 128, .arm = 128, .arm_clr = 10, .ld = 200, .focus = 20},
    [STYLE_GAP] = {.focus = 128},
  };
  (void)last;
  if (s->left == 0) new_phase(cfg, rng, s);
  s->left--;
  const struct rates *p = &rates[s->style];
  uint64_t go = rng_u64(rng), a = rng_u64(rng), b = rng_u64(rng);
  uint32_t cta_bits = block_bits((uint32_t)cfg->CTAS), buf_bits = block_bits((uint32_t)cfg->BUFS);
  uint32_t warp_bits = block_bits((uint32_t)cfg->WARPS);
  in->wr_en = (uint8_t)go < p->wr;
  in->set_live = (uint8_t)(go >> 8) < p->set;
  in->clr_live = (uint8_t)(go >> 16) < p->clr;
  in->arm_wr = (uint8_t)(go >> 24) < p->arm;
  in->arm_clr = (uint8_t)(go >> 32) < p->arm_clr;
  in->ld_valid = (uint8_t)(go >> 40) < p->ld;
  in->wr_cta = number((uint32_t)a, cta_bits, s->cta, p->focus);
  in->wr_buf = number((uint32_t)(a >> 12), buf_bits, s->buf, p->focus);
  in->st_cta = number((uint32_t)(a >> 24), cta_bits, s->cta, p->focus);
  in->st_buf = number((uint32_t)(a >> 36), buf_bits, s->buf, p->focus);
  in->arm_cta = number((uint32_t)(a >> 48), cta_bits, s->cta, p->focus);
  in->arm_buf = number((uint32_t)b, buf_bits, s->buf, p->focus);
  in->arm_warp = number((uint32_t)(b >> 10), warp_bits, s->warp, p->focus);
  in->ld_cta = number((uint32_t)(b >> 24), cta_bits, s->cta, p->focus);
  in->ld_warp = number((uint32_t)(b >> 36), warp_bits, s->warp, p->focus);
  in->wr_sbase = (uint16_t)(a >> 17); /* noise, also where nothing is written */
  in->wr_foot = (uint32_t)(b >> 19) & 0x1ffff;
  if (in->wr_en) {
    new_range(rng, in);
    uint32_t row = (uint32_t)in->wr_cta << buf_bits | in->wr_buf;
    s->start[row] = in->wr_sbase;
    s->foot[row] = in->wr_foot;
  }
  uint8_t target = number((uint32_t)(b >> 50), buf_bits, s->buf, 64);
  uint32_t row = (uint32_t)in->ld_cta << buf_bits | target;
  aim((uint32_t)(go >> 32) ^ (uint32_t)(a >> 32), s->start[row], s->foot[row], in);
  if ((go >> 48 & 0xff) == 0) { /* violates the contract: ld_hi below ld_lo */
    uint16_t lo = in->ld_lo;
    in->ld_lo = in->ld_hi;
    in->ld_hi = lo;
  }
}

BLOCK_DRIVER(d2ma_raw_check);
