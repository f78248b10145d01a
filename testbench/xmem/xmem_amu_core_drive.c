/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of xmem_amu_core: a driver that sets registers and sends small maps, status bits and contexts, an MMU, a
 * memory that answers out of order, a random ALB; back-pressure, gaps, and answers without a request. */
#include "block/block_drive.h"
#include "xmem_amu_core_ports.h"

#include <string.h>

enum { STYLE_MAPS, STYLE_TILES, STYLE_LOOKUPS, STYLE_STATUS, STYLE_NOISE, STYLE_GAP, STYLES };
enum { START, LENX, LENY, SIZEX, SIZEY, SIZEZ, CTXPTR, AAM_BASE, REGISTERS, FLIGHTS_MAX = 16 };

struct xmem_amu_core_drive_state {
  uint32_t left, style, aids[2]; /* the phase */
  uint32_t cmd, lk, ready, rs;   /* its rates, out of 256 */
  uint8_t started, asked;
  uint8_t flight[FLIGHTS_MAX]; /* ids of outstanding accesses */
  uint32_t n_flights;
  uint32_t lenx; /* last written value, so that rows are sometimes contiguous */
  uint8_t offered, taken;
};

static void new_phase(const struct xmem_amu_core_cfg *cfg, struct rng *rng, struct xmem_amu_core_drive_state *s) {
  uint32_t none = (1U << cfg->IDW) - 1;
  s->style = rng_below(rng, STYLES);
  s->left = s->style == STYLE_GAP ? 1 + rng_below(rng, 400) : 60 + rng_below(rng, 600);
  for (int i = 0; i < 2; i++) s->aids[i] = rng_below(rng, 16) ? rng_u32(rng) & none : none;
  s->cmd = s->style == STYLE_STATUS ? 120 : 20;
  s->lk = s->style == STYLE_LOOKUPS ? 230 : 60;
  s->ready = rng_below(rng, 4) ? 100 + rng_below(rng, 156) : 30;
  s->rs = rng_below(rng, 4) ? 100 + rng_below(rng, 156) : 20;
}

/* A value for a register: starts near page ends, short rows, few rows; sometimes random. */
static uint64_t register_value(struct rng *rng, struct xmem_amu_core_drive_state *s, uint32_t sel) {
  uint64_t a = rng_u64(rng);
  uint32_t tile = s->style == STYLE_TILES, r = (uint32_t)(a >> 32);
  if (sel == START) {
    uint64_t page = r & 3 ? r >> 2 & 7 : (1ull << 36) - 1 - (r >> 2 & 3);
    return (a & 0xffff000000000000u) | page << 12 | (r & 0x20 ? r >> 8 & 0xe00 : r >> 8 & 0xfff);
  }
  if (sel == LENX) return s->lenx = r & 1 ? (r >> 1 & 15) << 8 : r >> 8 & 0x3fff;
  if (sel == SIZEX && !(r & 3)) return s->lenx;
  if (sel == SIZEX) return r >> 2 & (r & 0x1000000 || tile ? 0x3ff : 0x3fff);
  if (sel == LENY || sel == SIZEY) return (r & 0x7fff) == 0 ? a : r >> 8 & (tile ? 15 : 3);
  if (sel == SIZEZ) return (r & 0x7fff) == 0 ? a : r >> 8 & 3;
  return a;
}

static void commands(const struct xmem_amu_core_cfg *cfg, struct rng *rng, struct xmem_amu_core_drive_state *s,
                     struct xmem_amu_core_in *in) {
  uint32_t r = rng_u32(rng), none = (1U << cfg->IDW) - 1;
  static const uint8_t often[16] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 3, 2, 5, 0, 1, 0};
  static const uint8_t status[16] = {2, 3, 2, 3, 2, 3, 2, 3, 5, 5, 1, 4, 2, 3, 6, 7};
  in->cmd_valid = (r & 255) < s->cmd;
  in->cmd_op = s->style == STYLE_STATUS ? status[r >> 8 & 15] : often[r >> 8 & 15];
  if (!s->started || (r >> 12 & 127) == 0) in->cmd_op = 4;
  s->started |= in->cmd_valid && in->cmd_op == 4;
  in->cmd_aid = (uint8_t)s->aids[r >> 19 & 1];
  if (s->style == STYLE_NOISE || (r >> 20 & 15) == 0) in->cmd_aid = (uint8_t)(r >> 24 & none);
  in->cmd_dim = s->style == STYLE_NOISE ? r >> 28 & 3 : 1 + (r >> 28) % 3;
  if (!s->left && s->style == STYLE_STATUS) s->started = 0;
  r = rng_u32(rng);
  in->reg_we = (r & 255) < 160;
  in->reg_sel = r >> 8 & 7;
  if ((in->reg_sel >= CTXPTR) && (r >> 11 & 15)) in->reg_sel = SIZEX;
  in->reg_data = register_value(rng, s, in->reg_sel);
}

/* Data that often contain the phase's atoms. */
static uint64_t page_data(const struct xmem_amu_core_cfg *cfg, struct rng *rng,
                          const struct xmem_amu_core_drive_state *s) {
  uint64_t a = rng_u64(rng), data = 0;
  for (int i = 0; i < cfg->UNITS; i++) data |= (uint64_t)s->aids[a >> i & 1] << i * cfg->IDW;
  return (a >> 60) == 0 ? a : (a >> 60) < 4 ? data ^ (1ull << (a >> 50 & 63)) : data;
}

static void memory(const struct xmem_amu_core_cfg *cfg, struct rng *rng, struct xmem_amu_core_drive_state *s,
                   const struct xmem_amu_core_out *last, struct xmem_amu_core_in *in) {
  uint32_t r = rng_u32(rng);
  if (last->mem_rq_valid && in->mem_rq_ready && s->n_flights < FLIGHTS_MAX) s->flight[s->n_flights++] = last->mem_rq_id;
  in->mem_rq_ready = (r & 255) < s->ready && s->n_flights < FLIGHTS_MAX;
  in->mem_rs_valid = s->n_flights && (r >> 8 & 255) < s->rs;
  in->mem_rs_id = r >> 16 & 15;
  if (in->mem_rs_valid) {
    uint32_t k = rng_below(rng, s->n_flights);
    in->mem_rs_id = s->flight[k];
    s->flight[k] = s->flight[--s->n_flights];
  } else if (s->style == STYLE_NOISE) {
    in->mem_rs_valid = (r >> 20 & 15) == 0;
  }
  in->mem_rs_data = page_data(cfg, rng, s);
  s->asked |= last->mmu_rq_valid && in->mmu_rq_ready;
  in->mmu_rq_ready = (r >> 24 & 3) != 0;
  in->mmu_rs_valid = s->asked ? (r >> 26 & 1) : s->style == STYLE_NOISE && (r >> 26 & 3) == 3;
  if (in->mmu_rs_valid) s->asked = 0;
  in->mmu_rs_fault = (r >> 28 & 7) == 0;
  in->mmu_rs_ppn = rng_u32(rng) & (uint32_t)((UINT64_C(1) << cfg->PPN_W) - 1);
}

/* The ALB: random answers, and misses that stay until they are taken. */
static void buffer(const struct xmem_amu_core_cfg *cfg, struct rng *rng, struct xmem_amu_core_drive_state *s,
                   const struct xmem_amu_core_out *last, struct xmem_amu_core_in *in) {
  uint32_t r = rng_u32(rng), q = rng_u32(rng), none = (1U << cfg->IDW) - 1, tags = (1U << cfg->TAGW) - 1;
  in->lk_valid = (r & 255) < s->lk;
  in->lk_tag = (uint16_t)(q & (tags >> 2));
  in->lk_ctx = r >> 8 & (s->style == STYLE_NOISE ? 3 : 1);
  in->al_ready = (r >> 10 & 3) != 0;
  in->ar_valid = (r >> 12 & 255) < s->lk;
  in->ar_tag = (uint16_t)(q >> 8 & tags);
  if (r >> 20 & 3) in->ar_tag = (uint16_t)(in->ar_tag & (tags >> 1));
  in->ar_aid = (uint8_t)(r >> 22 & 7 ? s->aids[r & 1] : q >> 24 & none);
  in->ar_hit = r >> 25 & 1;
  if (!in->ms_valid || last->ms_ready || s->style == STYLE_NOISE) {
    in->ms_valid = (r >> 26 & 15) == 0;
    in->ms_ppn = q & (uint32_t)((UINT64_C(1) << cfg->PPN_W) - 1);
    in->ms_id = (uint8_t)((r >> 30 | (q >> 29 & 4)) & ((1U << block_bits((uint32_t)cfg->NMISS)) - 1));
  }
  in->fl_ready = (q >> 28 & 3) != 0;
  in->ai_valid = (q & 0xf00) == 0;
  in->ai_aid = (uint8_t)(q & 1 ? s->aids[0] : q >> 12 & none);
  in->ai_val = q >> 20 & 1;
  in->ws_rd_en = (q & 0x7000) == 0;
  in->ws_rd_aid = (uint8_t)s->aids[q >> 21 & 1];
}

static void xmem_amu_core_drive(const struct xmem_amu_core_cfg *cfg, struct rng *rng,
                                struct xmem_amu_core_drive_state *s, const struct xmem_amu_core_out *last,
                                struct xmem_amu_core_in *in) {
  if (s->left == 0) new_phase(cfg, rng, s);
  s->left--;
  memory(cfg, rng, s, last, in);
  buffer(cfg, rng, s, last, in);
  commands(cfg, rng, s, in);
  if (s->style != STYLE_GAP) return;
  in->cmd_valid = in->reg_we = in->lk_valid = in->ar_valid = in->ai_valid = in->ws_rd_en = in->ms_valid = 0;
}

BLOCK_DRIVER(xmem_amu_core);
