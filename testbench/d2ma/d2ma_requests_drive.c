/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of d2ma_requests: buffers of every mode as the address generator walks them, free and busy ports and MSHRs,
 * replies in any order, aborts, killed CTAs; now and then requests that no generator makes. */
#include "block/block_drive.h"
#include "d2ma_requests_ports.h"

#include <string.h>

enum { MSHRS_MAX = 256 };

struct d2ma_requests_drive_state {
  uint32_t style, left;
  /* the generator */
  uint8_t walks, strided, ready, request, done, words_on;
  uint64_t address;
  uint32_t saddr, elements, step, bytes, segment, pad, group, to_pad;
  /* MSHRs */
  uint8_t used[MSHRS_MAX], fills;
  uint32_t n_used, mshr;
};

static uint32_t at_most(uint32_t a, uint32_t b) { return a < b ? a : b; }

static void begin(const struct d2ma_requests_cfg *cfg, struct rng *rng, struct d2ma_requests_drive_state *s,
                  struct d2ma_requests_in *in) {
  uint64_t a = rng_u64(rng);
  in->start = 1;
  in->start_cta = (uint8_t)rng_below(rng, (uint32_t)cfg->CTAS);
  in->start_buf = (uint8_t)rng_below(rng, (uint32_t)cfg->BUFS);
  in->esz = a & 3;
  in->dim2 = (a >> 2 & 3) == 0;
  in->mode = a >> 4 & 3;
  in->stride = (uint16_t)(a >> 6 & 1 ? 1 : a >> 8 & (a >> 7 & 1 ? 0xf : 0x3f));
  in->hrows = (uint16_t)(a >> 14 & (a >> 17 & 1 ? 3 : 0xfff));
  s->strided = !in->dim2 && in->mode != 1 && in->stride > 1;
  s->bytes = 1U << in->esz;
  s->step = in->stride * s->bytes;
  s->elements = (uint32_t)(a >> 30 & 0x7f);
  s->address = rng_u64(rng) & ~UINT64_C(7);
  s->saddr = (uint32_t)(a >> 40) & 0x3ff8;
  s->group = in->mode == 2 ? in->hrows * 4U * (uint32_t)cfg->NB : 0;
  s->to_pad = s->group;
  s->pad = at_most(8, s->bytes > 4 ? 8 : 4);
  s->walks = s->request = 1;
  s->done = 0;
}

/* Passes `bytes` in shared memory, over a pad if one follows. */
static void pass(struct d2ma_requests_drive_state *s, uint32_t bytes) {
  s->saddr += bytes;
  if (!s->group) return;
  if (s->to_pad <= bytes) s->saddr += s->pad, s->to_pad += s->group;
  s->to_pad -= bytes;
}

static uint32_t length(const struct d2ma_requests_cfg *cfg, const struct d2ma_requests_drive_state *s) {
  uint32_t segment = (uint32_t)cfg->SEG, room = segment - (uint32_t)(s->address & (segment - 1));
  return s->strided ? s->bytes : at_most(room, s->elements * s->bytes);
}

/* The generator's step after the cycle in which its request was taken, or not needed. */
static void step(const struct d2ma_requests_cfg *cfg, struct d2ma_requests_drive_state *s) {
  uint64_t before = s->address / (uint64_t)cfg->SEG;
  uint32_t len = length(cfg, s);
  pass(s, len);
  s->elements -= at_most(s->elements, s->strided ? 1 : (len + s->bytes - 1) / s->bytes);
  s->address += s->strided ? s->step : len;
  s->request = !s->strided || s->address / (uint64_t)cfg->SEG != before;
}

static void generate(const struct d2ma_requests_cfg *cfg, struct rng *rng, struct d2ma_requests_drive_state *s,
                     const struct d2ma_requests_out *last, struct d2ma_requests_in *in) {
  if (in->abort) s->walks = 0;
  if (s->walks && !in->start && s->elements && (!in->ag_valid || last->ag_ready)) step(cfg, s);
  if (in->ag_done) s->done = 1;
  if (s->done && (last->done || !last->busy)) s->walks = 0;
  in->start = in->abort = 0;
  if (!s->walks && rng_below(rng, 4) == 0) {
    in->ag_valid = in->ag_done = 0;
    begin(cfg, rng, s, in);
    return;
  }
  in->abort = rng_below(rng, 400) == 0;
  in->ag_valid = s->walks && s->elements && s->request;
  in->ag_done = s->walks && !s->elements && !s->done;
  in->ag_off = (uint8_t)(s->address & ((uint64_t)cfg->SEG - 1));
  in->ag_seg = s->address - in->ag_off;
  in->ag_len = (uint8_t)length(cfg, s);
  in->ag_saddr = (uint16_t)s->saddr;
}

static void memory(const struct d2ma_requests_cfg *cfg, struct rng *rng, struct d2ma_requests_drive_state *s,
                   const struct d2ma_requests_out *last, struct d2ma_requests_in *in) {
  uint32_t n = (uint32_t)cfg->MSHRS, r = rng_u32(rng);
  if (last->taken && !s->used[in->req_mshr]) s->used[in->req_mshr] = 1, s->n_used++;
  if (in->fill_en && s->used[in->fill_mshr]) s->used[in->fill_mshr] = 0, s->n_used--;
  in->req_mshr = (uint8_t)rng_below(rng, n);
  while (s->n_used < n && s->used[in->req_mshr]) in->req_mshr = (uint8_t)((in->req_mshr + 1U) % n);
  in->free = (uint16_t)(n - s->n_used);
  in->reserve = (uint16_t)(r & 7 ? 0 : rng_below(rng, n));
  in->req_ready = s->style ? (r >> 3 & 3) != 0 : (r >> 3 & 7) == 0;
  in->fill_mshr = (uint8_t)rng_below(rng, n);
  in->fill_en = s->used[in->fill_mshr] && (r >> 6 & 1);
  if ((r >> 7 & 0x3ff) == 0) in->fill_en = 1; /* also for MSHRs that are not in use */
  in->clr_cta_en = (r >> 17 & 0x7f) == 0;
  in->clr_cta = (uint8_t)rng_below(rng, (uint32_t)cfg->CTAS);
}

static void d2ma_requests_drive(const struct d2ma_requests_cfg *cfg, struct rng *rng,
                                struct d2ma_requests_drive_state *s, const struct d2ma_requests_out *last,
                                struct d2ma_requests_in *in) {
  if (!s->left) s->style = rng_below(rng, 4), s->left = 20 + rng_below(rng, 300);
  s->left--;
  generate(cfg, rng, s, last, in);
  memory(cfg, rng, s, last, in);
}

BLOCK_DRIVER(d2ma_requests);
