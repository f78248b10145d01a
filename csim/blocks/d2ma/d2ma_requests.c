/* SPDX-License-Identifier: Apache-2.0 */
/* The requests of the D2MA engine on their way to memory and back (Jamshidi 2014, section 4.2; assumption: what an MSHR
 * holds besides the shared address). The header of rtl/d2ma/d2ma_requests.v states the contract of the ports; widths are
 * the RTL's. */
#include "block/block.h"
#include "d2ma_requests_ports.h"

enum { MSHRS_MAX = 256, MASK_WORDS = MSHRS_MAX / 64, ESZ_BITS = 2, SADDR_BITS = 16, SHARED = 65536 };

struct d2ma_requests_state {
  /* the buffer, and the request that waits */
  uint8_t cta, buf, esz, edge, ended, hold, open, off, len, cut, step;
  uint16_t saddr, left; /* shared address; bytes to the next pad */
  uint32_t words;       /* lines between pads; 0: no pads */
  uint64_t seg;         /* number of the segment */
  uint64_t used[MASK_WORDS], drop[MASK_WORDS];
  uint64_t row[MSHRS_MAX]; /* {cta, buf, saddr, off, len, step, cut, esz} */
};

static void d2ma_requests_reset(const struct d2ma_requests_cfg *cfg, struct d2ma_requests_state *s) {
  (void)cfg;
  __builtin_memset(s, 0, sizeof *s);
}

static inline bool bit_of(const uint64_t *mask, uint32_t m) { return mask[m / 64] >> m % 64 & 1; }
static inline void set_bit(uint64_t *mask, uint32_t m, bool on) {
  mask[m / 64] = (mask[m / 64] & ~(UINT64_C(1) << m % 64)) | (uint64_t)on << m % 64;
}
/* The lowest `bits` bits of *row, which moves on. */
static inline uint32_t cut_off(uint64_t *row, uint32_t bits) {
  uint32_t value = (uint32_t)(*row & ((UINT64_C(1) << bits) - 1));
  *row >>= bits;
  return value;
}

static inline bool waits(const struct d2ma_requests_state *s, const struct d2ma_requests_in *in) {
  return s->hold && (!s->open || in->ag_valid || in->ag_done);
}

/* The reply of this cycle. */
static __attribute__((noinline)) void answer(const struct d2ma_requests_cfg *cfg, const struct d2ma_requests_state *s,
                                             const struct d2ma_requests_in *in, struct d2ma_requests_out *out) {
  uint32_t bits = block_clog2((uint32_t)cfg->SEG), m = in->fill_mshr;
  if (m >= (uint32_t)cfg->MSHRS || !bit_of(s->used, m)) return;
  uint64_t row = s->row[m];
  out->fill_esz = (uint8_t)cut_off(&row, ESZ_BITS);
  out->fill_cut = (uint8_t)cut_off(&row, bits);
  out->fill_step = (uint8_t)cut_off(&row, bits);
  out->fill_len = (uint8_t)cut_off(&row, bits + 1);
  out->fill_off = (uint8_t)cut_off(&row, bits);
  out->fill_saddr = (uint16_t)cut_off(&row, SADDR_BITS);
  out->fill_buf = (uint8_t)cut_off(&row, block_bits((uint32_t)cfg->BUFS));
  out->fill_cta = (uint8_t)row;
  out->fill_next = (uint16_t)(out->fill_saddr + out->fill_cut + (out->fill_esz == 3 ? 8U : 4U));
  out->fill_drop = bit_of(s->drop, m) || (in->clr_cta_en && out->fill_cta == in->clr_cta);
}

static void d2ma_requests_eval(const struct d2ma_requests_cfg *cfg, const struct d2ma_requests_state *s,
                               const struct d2ma_requests_in *in, struct d2ma_requests_out *out) {
  __builtin_memset(out, 0, sizeof *out);
  out->req_valid = waits(s, in);
  out->share = out->req_valid && in->free > in->reserve;
  if (s->hold) out->req_seg = s->seg * (uint64_t)cfg->SEG;
  out->taken = out->share && in->req_ready && !in->abort;
  out->ag_ready = (!s->hold || out->taken) && !in->abort;
  out->done = (s->ended || in->ag_done) && (!s->hold || out->taken) && !in->abort;
  out->busy = s->hold || s->ended;
  if (in->fill_en) answer(cfg, s, in, out);
}

static void keep(const struct d2ma_requests_cfg *cfg, struct d2ma_requests_state *s, uint32_t m) {
  uint32_t bits = block_clog2((uint32_t)cfg->SEG);
  uint64_t row = s->cta;
  if (m >= (uint32_t)cfg->MSHRS) return;
  row = row << block_bits((uint32_t)cfg->BUFS) | s->buf;
  row = row << SADDR_BITS | s->saddr;
  row = row << bits | s->off;
  row = row << (bits + 1) | s->len;
  row = row << bits | s->step;
  row = row << bits | s->cut;
  s->row[m] = row << ESZ_BITS | s->esz;
  set_bit(s->used, m, true);
  set_bit(s->drop, m, false);
}

/* The replies of a killed CTA will be dropped. */
static void drop(const struct d2ma_requests_cfg *cfg, struct d2ma_requests_state *s, uint32_t cta) {
  uint32_t bits = block_clog2((uint32_t)cfg->SEG);
  uint32_t above = block_bits((uint32_t)cfg->BUFS) + SADDR_BITS + 4 * bits + 1 + ESZ_BITS;
  for (uint32_t m = 0; m < (uint32_t)cfg->MSHRS; m++)
    if (bit_of(s->used, m) && s->row[m] >> above == cta) set_bit(s->drop, m, true);
}

static void start(const struct d2ma_requests_cfg *cfg, struct d2ma_requests_state *s,
                  const struct d2ma_requests_in *in) {
  uint32_t line = 4U * (uint32_t)cfg->NB, step = (uint32_t)in->stride << in->esz;
  bool strided = !in->dim2 && in->mode != 1 && in->stride > 1;
  s->cta = in->start_cta, s->buf = in->start_buf;
  s->esz = in->esz;
  s->step = strided && step < (uint32_t)cfg->SEG ? (uint8_t)step : 0;
  s->words = in->mode == 2 && in->hrows < SHARED / line ? in->hrows : 0;
  s->left = (uint16_t)(s->words * line);
  s->edge = 0;
}

/* `bytes` more bytes of the buffer. */
static void pass(const struct d2ma_requests_cfg *cfg, struct d2ma_requests_state *s, uint32_t bytes) {
  uint32_t group = s->words * 4U * (uint32_t)cfg->NB;
  s->edge = s->left == bytes;
  s->left = (uint16_t)(s->left >= bytes ? s->left - bytes : s->left - bytes + group);
}

static void accept(const struct d2ma_requests_cfg *cfg, struct d2ma_requests_state *s,
                   const struct d2ma_requests_in *in) {
  s->hold = 1;
  s->open = s->step != 0;
  s->seg = in->ag_seg / (uint64_t)cfg->SEG;
  s->off = in->ag_off;
  s->len = in->ag_len;
  s->saddr = in->ag_saddr;
  s->cut = s->words && s->left < in->ag_len ? (uint8_t)(s->left & ((uint32_t)cfg->SEG - 1)) : 0;
  pass(cfg, s, in->ag_len);
}

/* A further element of the request that waits. */
static void walk(const struct d2ma_requests_cfg *cfg, struct d2ma_requests_state *s) {
  uint32_t segment = (uint32_t)cfg->SEG, bytes = (1U << s->esz) & (2 * segment - 1);
  if (s->words && s->edge) s->cut = (uint8_t)(s->len & (segment - 1));
  s->len = (uint8_t)((s->len + bytes) & (2 * segment - 1));
  pass(cfg, s, bytes);
}

static __attribute__((noinline)) void step(const struct d2ma_requests_cfg *cfg, struct d2ma_requests_state *s,
                                           const struct d2ma_requests_in *in, const struct d2ma_requests_out *out) {
  bool walks = s->hold && s->open && !in->ag_valid && !in->ag_done;
  if (in->clr_cta_en) drop(cfg, s, in->clr_cta);
  if (in->fill_en && in->fill_mshr < cfg->MSHRS) {
    set_bit(s->used, in->fill_mshr, false);
    set_bit(s->drop, in->fill_mshr, false);
  }
  s->ended = (s->ended || in->ag_done) && !out->done;
  if (in->ag_valid || in->ag_done) s->open = 0;
  if (out->taken) {
    keep(cfg, s, in->req_mshr);
    s->hold = 0;
  }
  if (in->ag_valid && out->ag_ready) accept(cfg, s, in);
  else if (walks) walk(cfg, s);
  if (in->start) start(cfg, s, in);
  if (in->abort) s->hold = s->open = s->ended = 0;
}

static void d2ma_requests_tick(const struct d2ma_requests_cfg *cfg, struct d2ma_requests_state *s,
                               const struct d2ma_requests_in *in, const struct d2ma_requests_out *out) {
  uint8_t asked = in->ag_done | in->clr_cta_en | in->fill_en | in->start | in->abort;
  bool waits = s->hold && !(s->open | s->ended | out->taken); /* as for most of a transfer */
  if (!waits || asked) step(cfg, s, in, out);
}

#include "d2ma_requests_model.inc"
