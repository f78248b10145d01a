/* SPDX-License-Identifier: Apache-2.0 */
/* The shared memory that a buffer spans, by shift and add (Jamshidi 2014, section 4.3; assumption: until it is known, the
 * checker's range goes to the end of shared memory). The header of rtl/d2ma/d2ma_footprint.v states the contract of the
 * ports; widths are the RTL's. An entry is row cta * BUFS + buf, and one bit of a mask. */
#include "block/block.h"
#include "d2ma_footprint_ports.h"

#define MASK(bits) ((UINT32_C(1) << (bits)) - 1U)

enum { READ, SCALE, MULTIPLY, DIVIDE, WRITE };
enum { WIDTH_BITS = 18, ROWS_BITS = 10, SUM_BITS = 17, SHARED = 65536 };

struct d2ma_footprint_state {
  uint64_t pend;                                 /* entries that wait */
  uint8_t wide_on, wide_cta, wide_buf;           /* the wide range of the last operation */
  uint8_t on, loaded, phase, cta, buf, esz;      /* the entry that is read or computed; its fields were read */
  uint8_t step;                                  /* steps of the division left, less one */
  uint16_t wide_sbase, sbase;                    /* first shared bytes */
  uint32_t words, width, rows, sum, lines, rest; /* as in the RTL */
};

static void d2ma_footprint_reset(const struct d2ma_footprint_cfg *cfg, struct d2ma_footprint_state *s) {
  (void)cfg;
  __builtin_memset(s, 0, sizeof *s);
}

static inline uint64_t row_bit(const struct d2ma_footprint_cfg *cfg, uint32_t cta, uint32_t buf) {
  return UINT64_C(1) << ((cta * (uint32_t)cfg->BUFS + buf) & 63);
}
static inline uint64_t own(const struct d2ma_footprint_cfg *cfg, const struct d2ma_footprint_state *s) {
  return s->on ? row_bit(cfg, s->cta, s->buf) : 0;
}
static inline bool writes(const struct d2ma_footprint_state *s) { return s->on && s->phase == WRITE && !s->wide_on; }

static void d2ma_footprint_eval(const struct d2ma_footprint_cfg *cfg, const struct d2ma_footprint_state *s,
                                const struct d2ma_footprint_in *in, struct d2ma_footprint_out *out) {
  (void)in;
  __builtin_memset(out, 0, sizeof *out);
  out->rd_en = s->on && s->phase == READ;
  if (out->rd_en) out->rd_cta = s->cta, out->rd_buf = s->buf;
  if (s->wide_on) {
    out->ck_cta = s->wide_cta, out->ck_buf = s->wide_buf;
    out->ck_sbase = s->wide_sbase;
    out->ck_foot = SHARED - (uint32_t)s->wide_sbase;
  } else if (writes(s)) {
    out->ck_known = 1;
    out->ck_cta = s->cta, out->ck_buf = s->buf;
    out->ck_sbase = s->sbase;
    out->ck_foot = s->sum;
  }
  out->ck_wr = s->wide_on || out->ck_known;
  out->wide = s->pend | own(cfg, s);
  out->busy = s->pend || s->on || s->wide_on;
}

static void choose(const struct d2ma_footprint_cfg *cfg, struct d2ma_footprint_state *s) {
  uint32_t row = (uint32_t)__builtin_ctzll(s->pend);
  s->on = 1;
  s->phase = READ;
  s->cta = (uint8_t)(row / (uint32_t)cfg->BUFS);
  s->buf = (uint8_t)(row % (uint32_t)cfg->BUFS);
  s->pend &= s->pend - 1;
}

/* Takes the fields of an entry as a width and a number of rows. */
static void load(const struct d2ma_footprint_cfg *cfg, struct d2ma_footprint_state *s,
                 const struct d2ma_footprint_in *in) {
  uint32_t line = 4U * (uint32_t)cfg->NB, height = in->dim2 ? in->count >> 8 : 1U;
  uint32_t width = in->dim2 ? in->count & 0xffU : in->count;
  bool halo = in->mode == 1, some = width && height;
  s->loaded = 1;
  s->phase = SCALE;
  s->sbase = in->sbase;
  s->esz = in->esz;
  s->words = in->mode == 2 && in->hrows < SHARED / line ? in->hrows : 0;
  s->width = some ? width + (halo ? 2U * in->hcols : 0) : 0;
  s->rows = (height + (halo ? 2U * (in->hrows & 0xffU) : 0)) & MASK(ROWS_BITS);
  s->sum = s->lines = s->rest = 0;
  s->step = (uint8_t)(15 - block_clog2(line));
}

static void compute(const struct d2ma_footprint_cfg *cfg, struct d2ma_footprint_state *s) {
  uint32_t line_bits = block_clog2((uint32_t)cfg->NB) + 2, bits = 16 - line_bits;
  if (s->phase == SCALE) {
    s->width = (s->width << s->esz) & MASK(WIDTH_BITS);
    s->phase = MULTIPLY;
  } else if (s->phase == MULTIPLY) {
    if (s->rows & 1) s->sum = (s->sum + s->width) & MASK(SUM_BITS);
    s->width = (s->width << 1) & MASK(WIDTH_BITS);
    s->rows >>= 1;
    if (s->rows) return;
    s->phase = s->words && s->sum ? DIVIDE : WRITE;
    s->lines = (s->sum - 1) >> line_bits & MASK(bits); /* the line of the last byte */
    s->width = (s->esz == 3 ? 8U : 4U) << (bits - 1);
  } else if (s->phase == DIVIDE) {
    uint32_t rest = s->rest << 1 | (s->lines >> (bits - 1) & 1);
    bool fits = rest >= s->words;
    if (fits) s->sum = (s->sum + s->width) & MASK(SUM_BITS);
    s->rest = (fits ? rest - s->words : rest) & MASK(bits);
    s->width >>= 1;
    s->lines = (s->lines << 1) & MASK(bits);
    if (!s->step) s->phase = WRITE;
    s->step = (s->step - 1) & 15;
  }
}

static void d2ma_footprint_tick(const struct d2ma_footprint_cfg *cfg, struct d2ma_footprint_state *s,
                                const struct d2ma_footprint_in *in, const struct d2ma_footprint_out *out) {
  bool go = in->wr_en && in->wr_go && in->wr_cta < cfg->CTAS && in->wr_buf < cfg->BUFS;
  uint64_t again = go ? row_bit(cfg, in->wr_cta, in->wr_buf) : 0, dropped = again & own(cfg, s);
  (void)out;
  if (writes(s)) {
    s->on = s->loaded = 0;
  } else if (s->on && s->phase == READ) {
    if (in->rd_ok) load(cfg, s, in);
  } else if (s->on) {
    compute(cfg, s);
  } else if (s->pend) {
    choose(cfg, s);
    dropped = again & own(cfg, s);
  }
  if (dropped) s->on = s->loaded = 0;
  s->pend |= again;
  s->wide_on = go;
  if (!go) return;
  s->wide_cta = in->wr_cta, s->wide_buf = in->wr_buf;
  s->wide_sbase = in->wr_sbase;
}

#include "d2ma_footprint_model.inc"
