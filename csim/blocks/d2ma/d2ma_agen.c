/* SPDX-License-Identifier: Apache-2.0 */
/* Address generator of the D2MA engine (Jamshidi 2014, section 4.2): walks one buffer at a time and requests its global
 * segments, one request or one strided element per cycle; the constants of a halo leave by their own port in parallel.
 * The header of rtl/d2ma/d2ma_agen.v states the contract of the ports and the assumptions; widths are the RTL's. */
#include "block/block.h"
#include "d2ma_agen_ports.h"

#define MASK(bits) ((UINT32_C(1) << (bits)) - 1U)

enum { LINE = 32 }; /* largest constant run in bytes, and the boundary that no run crosses */
enum { ROW_BITS = 21, ROWS_BITS = 18, STEP_BITS = 22, LEFT_BITS = 19, FOOT_BITS = 17 };
enum { NORTH = 8, SOUTH = 4, WEST = 2, EAST = 1 };

struct d2ma_agen_state {
  uint64_t a;                            /* global address of the request or element */
  uint32_t len, saddr, rem, rows, step;  /* request length and shared address; bytes left in the row, rows left, step */
  uint32_t left, foot;                   /* bytes to the next skip; footprint */
  uint32_t cst_saddr, cst_len, cst_left; /* run of constants; bytes left in its piece */
  uint32_t cst_mids, cst_tail, cst_last; /* pieces between rows left; the last piece: bytes, address */
  uint32_t hconst, hr, height, pitch, row, mid, words;
  uint8_t busy, setup1, setup2, ld_on, req_valid, cst_on, cst_valid;
  uint8_t strided, esz, north, south;
};

static void d2ma_agen_reset(const struct d2ma_agen_cfg *cfg, struct d2ma_agen_state *s) {
  (void)cfg;
  *s = (struct d2ma_agen_state){0};
}

static inline uint32_t at_most(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Bytes up to the end of the segment or the end of the row. */
static inline uint32_t clip(const struct d2ma_agen_cfg *cfg, uint64_t a, uint32_t rem) {
  uint32_t segment = (uint32_t)cfg->SEG;
  return at_most(segment - ((uint32_t)a & (segment - 1)), rem);
}

/* Bytes that padding adds to a buffer of `bytes` > 0: a skip after every words * NB words but the last (assumption). */
static uint32_t skip_bytes(const struct d2ma_agen_cfg *cfg, uint32_t bytes, uint32_t words, uint32_t esz) {
  if (!words) return 0;
  uint32_t line = 4U * (uint32_t)cfg->NB;
  return ((bytes - 1) & 0xffffU) / line / words * (esz == 3 ? 8 : 4);
}

/* The constant of a halo element, sign-extended to the element and replicated to 64 bits. */
static inline uint64_t replicate(uint32_t hconst, uint32_t esz) {
  uint64_t wide = (uint64_t)(int64_t)(int16_t)hconst;
  switch (esz) {
    case 0: return (wide & 0xff) * UINT64_C(0x0101010101010101);
    case 1: return (wide & 0xffff) * UINT64_C(0x0001000100010001);
    case 2: return (wide & 0xffffffff) * UINT64_C(0x0000000100000001);
    default: return wide;
  }
}

static inline bool running(const struct d2ma_agen_state *s) { return s->busy && !s->setup1 && !s->setup2; }

static void d2ma_agen_eval(const struct d2ma_agen_cfg *cfg, const struct d2ma_agen_state *s,
                           const struct d2ma_agen_in *in, struct d2ma_agen_out *out) {
  uint64_t offset = (uint64_t)cfg->SEG - 1;
  out->busy = s->busy;
  out->done = running(s) && !s->ld_on && !s->cst_on && !in->abort;
  out->req_valid = s->req_valid;
  out->req_seg = s->a & ~offset;
  out->req_off = (uint8_t)(s->a & offset);
  out->req_len = (uint8_t)s->len;
  out->req_saddr = (uint16_t)s->saddr;
  out->cst_valid = s->cst_valid;
  out->cst_saddr = (uint16_t)s->cst_saddr;
  out->cst_len = (uint8_t)s->cst_len;
  out->cst_data = replicate(s->hconst, s->esz);
  out->footprint = s->foot;
}

/* Constant borders: those of the region's row and column in a 3 x 3 grid, or-ed with the mask. */
static uint32_t constant_borders(uint32_t region) {
  static const uint8_t of_region[16] = {
    [1] = NORTH | WEST, [2] = NORTH,        [3] = NORTH | EAST, [4] = WEST,
    [5] = EAST,         [6] = SOUTH | WEST, [7] = SOUTH,        [8] = SOUTH | EAST,
  };
  return of_region[region & 15] | region >> 4;
}

/* T0 of every buffer, flat or matrix: sets the fields, the first column and the first shared addresses. */
static void start(const struct d2ma_agen_cfg *cfg, struct d2ma_agen_state *s, const struct d2ma_agen_in *in) {
  bool halo = in->mode == 1, matrix = in->dim2 || halo;
  uint32_t esz = in->esz;
  uint32_t width = in->dim2 ? in->count & 0xffU : in->count, height = in->dim2 ? in->count >> 8 : 1U;
  bool empty = !width || !height;
  uint32_t borders = halo ? constant_borders(in->region) : 0;
  uint32_t pitch = in->stride ? in->stride : 1, hr = halo ? in->hrows : 0;
  uint32_t hcols = halo ? (uint32_t)in->hcols << esz : 0; /* bytes of the halo on one side */
  uint32_t west = borders & WEST ? hcols : 0, east = borders & EAST ? hcols : 0;
  uint32_t longest = UINT32_C(1) << LEFT_BITS, line = 4U * (uint32_t)cfg->NB;

  s->busy = 1;
  s->setup1 = matrix && !empty;
  s->ld_on = !empty;
  s->req_valid = !matrix && !empty;
  s->cst_on = halo && !empty;
  s->strided = !matrix && pitch != 1;
  s->esz = (uint8_t)esz;
  s->hconst = in->hconst;
  s->hr = hr;
  s->height = height;
  s->north = (borders & NORTH) != 0;
  s->south = (borders & SOUTH) != 0;
  s->pitch = ((width << esz) + 2 * hcols) & MASK(FOOT_BITS);
  s->row = (width << esz) + (hcols - west) + (hcols - east);
  s->mid = (west + east) & MASK(FOOT_BITS);
  s->words = in->mode == 2 && in->hrows < longest / line ? in->hrows : 0;
  s->a = in->gbase - (hcols - west);
  s->rem = s->row;
  s->len = s->strided ? 1U << esz : clip(cfg, s->a, s->rem);
  s->saddr = (in->sbase + west) & 0xffffU;
  s->rows = matrix ? height + (s->north ? 0 : hr) + (s->south ? 0 : hr) : 1;
  s->step = pitch << esz;
  s->left = s->words * line;
  s->foot = matrix || empty ? 0 : ((width << esz) + skip_bytes(cfg, width << esz, s->words, esz)) & MASK(FOOT_BITS);
  s->cst_saddr = in->sbase;
  s->cst_len = 0;
  s->cst_left = west & MASK(FOOT_BITS);
  s->cst_mids = 0;
  s->cst_tail = east & MASK(FOOT_BITS);
  s->cst_last = (in->sbase - east) & 0xffffU;
}

/* T1 of a matrix: the products for the rows above in global memory and for the tile in shared memory. */
static void set_up_rows(struct d2ma_agen_state *s) {
  uint32_t tile = s->height * s->pitch & MASK(FOOT_BITS);
  if (!s->north) s->a -= (uint64_t)s->hr * s->step;
  s->foot = tile;
  s->cst_last = (s->cst_last + tile) & 0xffffU;
  s->setup1 = 0;
  s->setup2 = 1;
}

/* Length and validity of the next run, from its address and the bytes left in the piece. */
static inline void clip_run(struct d2ma_agen_state *s) {
  s->cst_len = at_most(LINE - s->cst_saddr % LINE, s->cst_left);
  s->cst_valid = s->cst_left != 0;
}

/* T2 of a matrix: the product for the rows above in shared memory, and the first request. */
static void set_up_first(const struct d2ma_agen_cfg *cfg, struct d2ma_agen_state *s) {
  uint32_t above = s->hr * s->pitch & MASK(FOOT_BITS);
  if (s->north) {
    s->saddr = (s->saddr + above) & 0xffffU;
    s->cst_left = (s->cst_left + above) & MASK(FOOT_BITS);
  }
  if (s->south) s->cst_tail = (s->cst_tail + above) & MASK(FOOT_BITS);
  s->cst_last = (s->cst_last + (s->south ? above : 2 * above)) & 0xffffU;
  s->cst_mids = (s->rows - 1) & MASK(ROWS_BITS);
  s->foot = (s->foot + 2 * above + skip_bytes(cfg, s->foot, s->words, s->esz)) & MASK(FOOT_BITS);
  s->step = (s->step - s->row) & MASK(STEP_BITS);
  s->len = clip(cfg, s->a, s->rem);
  s->req_valid = 1;
  clip_run(s);
  s->setup2 = 0;
}

/* A load step: the request was taken, or the element needed no request. */
static inline void step_loads(const struct d2ma_agen_cfg *cfg, struct d2ma_agen_state *s) {
  uint32_t segment = (uint32_t)cfg->SEG, len = s->len;
  uint32_t reach = ((uint32_t)s->a & (segment - 1)) + s->step;
  bool row_end = s->rem == len, over = row_end && s->rows == 1, skip = s->words && len >= s->left;
  s->left = (s->left - len + (skip ? s->words * 4U * (uint32_t)cfg->NB : 0)) & MASK(LEFT_BITS);
  s->saddr = (s->saddr + len + (row_end ? s->mid : 0) + (skip ? (s->esz == 3 ? 8U : 4U) : 0)) & 0xffffU;
  uint32_t by = (s->strided ? 0 : len) + (s->strided || row_end ? s->step : 0);
  s->a += (uint64_t)(int64_t)((int32_t)(by << (32 - STEP_BITS)) >> (32 - STEP_BITS));
  s->rem = row_end ? s->row : (s->rem - len) & MASK(ROW_BITS);
  if (row_end) s->rows = (s->rows - 1) & MASK(ROWS_BITS);
  if (!s->strided) s->len = clip(cfg, s->a, s->rem);
  s->ld_on = !over;
  s->req_valid = !over && (!s->strided || reach >= segment);
}

/* A constant step: the run was taken, or there was none before the first load. Goes on in this piece or to the next. */
static inline void step_constants(struct d2ma_agen_state *s) {
  s->cst_left -= s->cst_len;
  s->cst_saddr = (s->cst_saddr + s->cst_len) & 0xffffU;
  if (!s->cst_left) {
    if (s->cst_mids && s->mid) {
      s->cst_saddr = (s->cst_saddr + s->row) & 0xffffU;
      s->cst_left = s->mid;
      s->cst_mids--;
    } else {
      if (s->cst_tail) s->cst_saddr = s->cst_last;
      s->cst_left = s->cst_tail;
      s->cst_on = s->cst_tail != 0;
      s->cst_tail = 0;
    }
  }
  clip_run(s);
}

static void d2ma_agen_tick(const struct d2ma_agen_cfg *cfg, struct d2ma_agen_state *s, const struct d2ma_agen_in *in,
                           const struct d2ma_agen_out *out) {
  (void)out;
  if (in->abort) {
    s->busy = s->setup1 = s->setup2 = s->ld_on = s->req_valid = s->cst_on = s->cst_valid = 0;
  } else if (!s->busy) {
    if (in->start) start(cfg, s, in);
  } else if (s->setup1) {
    set_up_rows(s);
  } else if (s->setup2) {
    set_up_first(cfg, s);
  } else {
    if (!s->ld_on && !s->cst_on) s->busy = 0;
    if (s->ld_on && (in->req_ready || !s->req_valid)) step_loads(cfg, s);
    if (s->cst_on && (in->cst_ready || !s->cst_valid)) step_constants(s);
  }
}

#include "d2ma_agen_model.inc"
