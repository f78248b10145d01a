/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of xmem_amu: software that sets registers and sends maps, status bits, freed pages and contexts; an MMU that
 * maps eight virtual pages anywhere and faults now and then; a memory that answers out of order; lookups of the same
 * few pages from two contexts; updates of a home unit; back-pressure and gaps. */
#include "block/block_drive.h"
#include "xmem_amu_ports.h"

#include <string.h>

enum { STYLE_MAPS, STYLE_LOOKUPS, STYLE_STATUS, STYLE_GAP, STYLES };
enum { START, LENX, LENY, SIZEX, SIZEY, SIZEZ, CTXPTR, AAM_BASE };
enum { MAP, UNMAP, ACTIVATE, DEACTIVATE, CONTEXT, PAGE_FREE };
enum { FLIGHTS_MAX = 16, PAGES = 8 };

struct xmem_amu_drive_state {
  uint32_t left, style, aids[2]; /* the phase */
  uint32_t cmd, lk, ready, rs;   /* its rates, out of 256 */
  uint32_t pages[PAGES];         /* physical pages of the virtual ones */
  uint8_t started, asked;
  uint8_t flight[FLIGHTS_MAX];     /* ids of outstanding accesses */
  uint32_t n_flights, lenx, since; /* since: cycles since the home's last update */
};

static void new_phase(const struct xmem_amu_cfg *cfg, struct rng *rng, struct xmem_amu_drive_state *s) {
  uint32_t none = (1U << cfg->IDW) - 1;
  s->style = rng_below(rng, STYLES);
  s->left = s->style == STYLE_GAP ? 1 + rng_below(rng, 300) : 60 + rng_below(rng, 800);
  for (int i = 0; i < 2; i++) s->aids[i] = rng_below(rng, 16) ? rng_u32(rng) & none : none;
  for (int i = 0; i < PAGES; i++)
    s->pages[i] = (rng_below(rng, 2) ? rng_u32(rng) : rng_below(rng, 16)) & (uint32_t)((UINT64_C(1) << cfg->PPN_W) - 1);
  s->cmd = s->style == STYLE_STATUS ? 120 : s->style == STYLE_LOOKUPS ? 4 : 20;
  s->lk = s->style == STYLE_LOOKUPS ? 245 : 80;
  s->ready = rng_below(rng, 4) ? 100 + rng_below(rng, 157) : 30;
  s->rs = rng_below(rng, 4) ? 100 + rng_below(rng, 157) : 20;
}

/* A value for a register: starts in eight pages, short rows, few rows. */
static uint64_t register_value(struct rng *rng, struct xmem_amu_drive_state *s, uint32_t sel) {
  uint64_t a = rng_u64(rng);
  uint32_t r = (uint32_t)(a >> 32);
  if (sel == START)
    return (uint64_t)(r & 7) << 12 | (r & 8 ? r >> 8 & 0xe00 : r >> 8 & 0xfff) | (r & 0x70 ? 0 : a << 16);
  if (sel == LENX) return s->lenx = r & 1 ? (r >> 1 & 15) << 8 : r >> 8 & 0x1fff;
  if (sel == SIZEX) return r & 3 ? r >> 2 & 0x1fff : s->lenx;
  if (sel == CTXPTR) return a & ~UINT64_C(2);
  return sel == AAM_BASE ? a & ~UINT64_C(7) : r >> 8 & 3;
}

static void commands(const struct xmem_amu_cfg *cfg, struct rng *rng, struct xmem_amu_drive_state *s,
                     struct xmem_amu_in *in) {
  static const uint8_t often[8] = {MAP, MAP, MAP, UNMAP, UNMAP, ACTIVATE, DEACTIVATE, PAGE_FREE};
  uint32_t r = rng_u32(rng), none = (1U << cfg->IDW) - 1;
  in->cmd_valid = (r & 255) < s->cmd;
  in->cmd_op = often[r >> 8 & 7];
  if (s->style == STYLE_STATUS && (r & 0x800)) in->cmd_op = ACTIVATE + (r >> 12 & 1);
  if (!s->started || (r >> 13 & 63) == 0) in->cmd_op = CONTEXT;
  s->started |= in->cmd_valid && in->cmd_op == CONTEXT;
  in->cmd_aid = (uint8_t)(r >> 19 & 15 ? s->aids[r >> 23 & 1] : r >> 24 & none);
  in->cmd_dim = 1 + (r >> 24) % 3;
  r = rng_u32(rng);
  in->reg_we = (r & 3) != 0;
  in->reg_sel = r >> 8 & 7;
  if (in->reg_sel >= CTXPTR && (r >> 11 & 15)) in->reg_sel = SIZEX;
  in->reg_data = register_value(rng, s, in->reg_sel);
}

/* Data that often contain the phase's atoms. */
static uint64_t page_data(const struct xmem_amu_cfg *cfg, struct rng *rng, const struct xmem_amu_drive_state *s) {
  uint64_t a = rng_u64(rng), data = 0;
  for (int i = 0; i < cfg->UNITS; i++) data |= (uint64_t)s->aids[a >> i & 1] << i * cfg->IDW;
  return (a >> 60) == 0 ? a : data;
}

static void memory(const struct xmem_amu_cfg *cfg, struct rng *rng, struct xmem_amu_drive_state *s,
                   const struct xmem_amu_out *last, struct xmem_amu_in *in) {
  uint32_t r = rng_u32(rng);
  if (last->mem_rq_valid && in->mem_rq_ready && s->n_flights < FLIGHTS_MAX) s->flight[s->n_flights++] = last->mem_rq_id;
  in->mem_rq_ready = (r & 255) < s->ready && s->n_flights < FLIGHTS_MAX;
  in->mem_rs_valid = s->n_flights && (r >> 8 & 255) < s->rs;
  if (in->mem_rs_valid) {
    uint32_t k = rng_below(rng, s->n_flights);
    in->mem_rs_id = s->flight[k];
    s->flight[k] = s->flight[--s->n_flights];
  } else if ((r >> 20 & 0x3ff) == 0) { /* an answer without a request */
    in->mem_rs_valid = s->style != STYLE_GAP;
    in->mem_rs_id = r >> 16 & 15;
  }
  in->mem_rs_data = page_data(cfg, rng, s);
  s->asked |= last->mmu_rq_valid && in->mmu_rq_ready;
  in->mmu_rq_ready = (r >> 24 & 3) != 0;
  in->mmu_rs_valid = s->asked && (r >> 26 & 1);
  if (in->mmu_rs_valid) s->asked = 0;
  in->mmu_rs_fault = (r >> 28 & 7) == 0;
  in->mmu_rs_ppn = s->pages[r >> 12 & 7];
}

static void lookups(const struct xmem_amu_cfg *cfg, struct rng *rng, struct xmem_amu_drive_state *s,
                    struct xmem_amu_in *in) {
  uint32_t r = rng_u32(rng), q = rng_u32(rng), tags = (1U << (cfg->TAGW - 2)) - 1, none = (1U << cfg->IDW) - 1;
  in->lk_valid = (r & 255) < s->lk;
  in->lk_pa = (uint64_t)s->pages[r >> 8 & 7] << 12 | (q & 0xfff);
  if ((r >> 11 & 15) == 0) in->lk_pa ^= (uint64_t)(q >> 12 & 3) << 12;
  in->lk_tag = (uint16_t)(q >> 14 & tags);
  in->lk_ctx = (r >> 15 & 7) == 0;
  s->since++;
  in->bi_valid = s->since > 1 && (r >> 18 & 15) == 0;
  if (in->bi_valid) s->since = 0;
  in->bi_ppn = s->pages[q >> 26 & 7];
  in->bi_mask = (uint8_t)(q & ((1U << cfg->UNITS) - 1));
  in->bi_aid = (uint8_t)s->aids[r >> 22 & 1];
  in->ai_valid = (r >> 23 & 15) == 0;
  in->ai_aid = (uint8_t)(r & 1 ? s->aids[0] : q >> 8 & none);
  in->ai_val = r >> 27 & 1;
  in->ws_rd_en = (r >> 28) == 0;
  in->ws_rd_aid = (uint8_t)s->aids[q & 1];
}

static void xmem_amu_drive(const struct xmem_amu_cfg *cfg, struct rng *rng, struct xmem_amu_drive_state *s,
                           const struct xmem_amu_out *last, struct xmem_amu_in *in) {
  if (s->left == 0) new_phase(cfg, rng, s);
  s->left--;
  memory(cfg, rng, s, last, in);
  lookups(cfg, rng, s, in);
  commands(cfg, rng, s, in);
  if (s->style == STYLE_GAP) in->cmd_valid = in->reg_we = in->lk_valid = in->bi_valid = in->ai_valid = in->ws_rd_en = 0;
}

BLOCK_DRIVER(xmem_amu);
