/* SPDX-License-Identifier: Apache-2.0 */
/* Address generator of the D2MA engine (Jamshidi 2014, section 4.2): walks one buffer at a time and requests its global
 * segments, one request or one strided element per cycle; the constants of a halo leave by their own port in parallel.
 * The header of rtl/d2ma/d2ma_agen.v states the contract of the ports and the assumptions; widths are the RTL's. */
#include "block/block.h"
#include "d2ma_agen_ports.h"

#define MASK(bits) ((UINT32_C(1) << (bits)) - 1U)

enum { LINE = 32 }; /* largest constant run in bytes, and the boundary that no run crosses */
enum { ROW_BITS = 17, HALO_ROWS_BITS = 10, STEP_BITS = 20, SHARED = 65536 };
enum { NORTH = 8, SOUTH = 4, WEST = 2, EAST = 1 };

struct d2ma_agen_state {
  uint64_t a;                            /* global address of the request or element */
  uint32_t len, saddr, rem, rows, step;  /* request length and shared address; bytes left in the row, rows left, step */
  uint32_t pos, line;                    /* bytes into the line of banks, lines to the next skip; or shared base */
  uint32_t cst_saddr, cst_len, cst_left; /* run of constants; bytes left in its piece */
  uint32_t up, mids;                     /* rows left to set up, or above or below; rows with loads left */
  uint32_t hconst, hrows, row, mid;
  uint8_t busy, setup, ld_on, req_valid, last, cst_on, cst_valid, cst_in, cst_final, cst_end;
  uint8_t strided, esz, north, south, west, east, some, border;
};

static void d2ma_agen_reset(const struct d2ma_agen_cfg *cfg, struct d2ma_agen_state *s) {
  (void)cfg;
  *s = (struct d2ma_agen_state){0};
}

static inline uint32_t at_most(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* The next request: up to the end of the segment or the end of the row, which has `rem` bytes left. */
static inline void clip(const struct d2ma_agen_cfg *cfg, struct d2ma_agen_state *s, uint32_t rem) {
  uint32_t segment = (uint32_t)cfg->SEG, room = segment - ((uint32_t)s->a & (segment - 1));
  s->last = rem <= room;
  s->len = at_most(rem, room);
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

static inline bool finished(const struct d2ma_agen_state *s) { return s->busy && !(s->ld_on | s->cst_on); }

/* Shared bytes that were walked; until all are, no buffer has more than this. */
static inline uint32_t footprint(const struct d2ma_agen_cfg *cfg, const struct d2ma_agen_state *s) {
  if (!finished(s)) return SHARED;
  uint32_t from = s->border ? s->line * 4U * (uint32_t)cfg->NB + s->pos : s->cst_saddr;
  uint32_t walked = ((s->border ? s->cst_saddr : s->saddr) - from) & 0xffffU;
  return s->some && !walked ? SHARED : walked;
}

static void d2ma_agen_eval(const struct d2ma_agen_cfg *cfg, const struct d2ma_agen_state *s,
                           const struct d2ma_agen_in *in, struct d2ma_agen_out *out) {
  uint64_t offset = (uint64_t)cfg->SEG - 1;
  out->busy = s->busy;
  out->done = finished(s) && !in->abort;
  out->req_valid = s->req_valid;
  out->req_seg = s->a & ~offset;
  out->req_off = (uint8_t)(s->a & offset);
  out->req_len = (uint8_t)s->len;
  out->req_saddr = (uint16_t)s->saddr;
  out->cst_valid = s->cst_valid;
  out->cst_saddr = (uint16_t)s->cst_saddr;
  out->cst_len = (uint8_t)s->cst_len;
  out->cst_data = replicate(s->hconst, s->esz);
  out->footprint = footprint(cfg, s);
}

/* Constant borders: those of the region's row and column in a 3 x 3 grid, or-ed with the mask. */
static uint32_t constant_borders(const struct d2ma_agen_in *in) {
  static const uint8_t of_region[16] = {
    [1] = NORTH | WEST, [2] = NORTH,        [3] = NORTH | EAST, [4] = WEST,
    [5] = EAST,         [6] = SOUTH | WEST, [7] = SOUTH,        [8] = SOUTH | EAST,
  };
  uint32_t borders = of_region[in->region & 15] | in->region >> 4;
  if (in->mode != 1) return 0;
  if (!(in->hrows & 0xff)) borders &= WEST | EAST;
  if (!in->hcols) borders &= NORTH | SOUTH;
  return borders;
}

/* Fields of the halo, or of the skips. */
static void start_halo(const struct d2ma_agen_cfg *cfg, struct d2ma_agen_state *s, const struct d2ma_agen_in *in) {
  bool halo = in->mode == 1;
  uint32_t borders = constant_borders(in), line = 4U * (uint32_t)cfg->NB, sides = !!(borders & WEST) + (borders & EAST);
  uint32_t hcols = halo ? ((uint32_t)in->hcols << in->esz) & MASK(ROW_BITS) : 0; /* bytes of the halo on one side */
  s->north = (borders & NORTH) != 0;
  s->south = (borders & SOUTH) != 0;
  s->west = (borders & WEST) != 0;
  s->east = (borders & EAST) != 0;
  s->line = in->mode == 2 && in->hrows < SHARED / line ? in->hrows : 0;
  s->hrows = halo ? in->hrows & 0xffU : s->line;
  s->up = halo ? s->hrows : 0;
  s->row = (s->row + (2 - sides) * hcols) & MASK(ROW_BITS);
  s->mid = sides * hcols & 0xffffU;
  s->cst_left = hcols; /* for the first column */
}

/* T0 of every buffer, flat or matrix. */
static void start(const struct d2ma_agen_cfg *cfg, struct d2ma_agen_state *s, const struct d2ma_agen_in *in) {
  bool matrix = in->dim2 || in->mode == 1, strided = !matrix && in->stride > 1;
  uint32_t width = in->dim2 ? in->count & 0xffU : in->count, height = in->dim2 ? in->count >> 8 : 1U;
  bool some = width && height;
  if (strided) height = width, width = 1; /* each element is a row */
  s->row = (width << in->esz) & MASK(ROW_BITS);
  start_halo(cfg, s, in);
  bool borders = s->north || s->south || s->west || s->east;

  s->busy = 1;
  s->some = some;
  s->setup = matrix && some;
  s->ld_on = some;
  s->req_valid = !matrix && some;
  s->cst_on = s->border = borders && some;
  s->strided = strided;
  s->esz = in->esz;
  s->hconst = in->hconst;
  s->a = in->gbase;
  s->saddr = s->cst_saddr = in->sbase;
  s->rem = s->row;
  clip(cfg, s, s->rem);
  uint32_t halo_rows = in->mode == 1 ? (2U - s->north - s->south) * s->hrows : 0;
  s->mids = (height + halo_rows) & MASK(HALO_ROWS_BITS);
  s->rows = (height & ~MASK(HALO_ROWS_BITS)) | s->mids;
  s->step = (in->stride ? in->stride : 1U) << in->esz;
  s->pos = 0;
  if (s->border) { /* no skips: these hold the shared base */
    s->line = in->sbase / (4U * (uint32_t)cfg->NB);
    s->pos = in->sbase % (4U * (uint32_t)cfg->NB);
  }
  s->cst_len = 0;
  s->cst_end = !s->west;
  s->cst_in = s->cst_final = s->cst_valid = 0;
}

static inline uint64_t sign_extended(uint32_t step) {
  return (uint64_t)(int64_t)((int32_t)(step << (32 - STEP_BITS)) >> (32 - STEP_BITS));
}

/* Set-up of a matrix: passes a row above the tile; last, the first column and the step from the end of a row. */
static void set_up(const struct d2ma_agen_cfg *cfg, struct d2ma_agen_state *s) {
  if (s->up) {
    if (s->north) s->saddr = (s->saddr + s->row + s->mid) & 0xffffU;
    else s->a -= sign_extended(s->step);
    s->up--;
    return;
  }
  if (s->west) s->saddr = (s->saddr + s->cst_left) & 0xffffU;
  else s->a -= s->cst_left;
  clip(cfg, s, s->rem);
  s->step = (s->step - s->row) & MASK(STEP_BITS);
  s->up = s->hrows & 0xffU;
  s->setup = 0;
  s->req_valid = 1;
}

/* Passes the bytes of a request or element in its line; returns the bytes to skip. */
static inline uint32_t step_lines(const struct d2ma_agen_cfg *cfg, struct d2ma_agen_state *s) {
  uint32_t line = 4U * (uint32_t)cfg->NB;
  if (s->border) return 0;
  bool ends = s->pos + s->len >= line, skip = ends && s->line == 1;
  s->pos = (s->pos + s->len) % line;
  if (ends && s->line) s->line = skip ? s->hrows : s->line - 1;
  return !skip ? 0 : s->esz == 3 ? 8 : 4;
}

/* A load step: the request was taken, or the element needed no request. */
static inline void step_loads(const struct d2ma_agen_cfg *cfg, struct d2ma_agen_state *s) {
  uint64_t before = s->a;
  bool row_end = s->last, over = row_end && s->rows == 1;
  uint32_t skip = step_lines(cfg, s);
  bool at_end = over && s->pos == 0; /* a skip after the last byte is none */
  uint32_t by = ((s->strided ? 0 : s->len) + (row_end ? s->step : 0)) & MASK(STEP_BITS);
  s->saddr = (s->saddr + s->len + ((row_end ? s->mid : 0) | (at_end ? 0 : skip))) & 0xffffU;
  s->a += sign_extended(by);
  s->rem = row_end ? s->row : (s->rem - s->len) & MASK(ROW_BITS);
  if (row_end) s->rows = (s->rows - 1) & 0xffffU;
  clip(cfg, s, s->rem);
  uint64_t segment = (uint64_t)cfg->SEG;
  s->ld_on = !over;
  s->req_valid = !over && (!s->strided || s->step >= segment || (before ^ s->a) & segment);
}

/* The piece that ends a row: what lies between its loads and those of the next row, or of the last row to its end. */
static inline void end_row(struct d2ma_agen_state *s) {
  bool above = s->north, below = !above && !s->mids;
  uint32_t east = !s->east ? 0 : s->west ? s->mid / 2 : s->mid;
  s->cst_final = !above && (below ? s->up == 1 : s->mids == 1 && !s->south);
  s->cst_left = s->cst_final ? east : s->mid;
  if (!s->cst_in) s->cst_saddr = (s->cst_saddr + s->row) & 0xffffU; /* over the loads */
  s->cst_in = 0;
  if (above && s->up == 1) {
    s->north = 0;
    s->up = s->hrows & 0xffU;
  } else if (above || below) {
    s->up = (s->up - 1) & 0xffU;
  } else {
    s->mids--;
  }
}

/* A constant step: the run was taken, or there was none. Goes on in this piece or to the next. */
static inline void step_constants(struct d2ma_agen_state *s) {
  bool more = !s->cst_end || s->cst_final;
  s->cst_saddr = (s->cst_saddr + s->cst_len) & 0xffffU;
  s->cst_on = !(s->cst_end && s->cst_final);
  if (more) {
    s->cst_left = (s->cst_left - s->cst_len) & MASK(ROW_BITS);
  } else if (!s->cst_in && (s->north || !s->mids)) { /* the part of a constant row that has loads in others */
    s->cst_left = s->row;
    s->cst_in = 1;
  } else {
    end_row(s);
  }
  uint32_t room = LINE - s->cst_saddr % LINE;
  s->cst_len = at_most(s->cst_left, room);
  s->cst_end = s->cst_left <= room;
  s->cst_valid = s->cst_left != 0;
}

static void d2ma_agen_tick(const struct d2ma_agen_cfg *cfg, struct d2ma_agen_state *s, const struct d2ma_agen_in *in,
                           const struct d2ma_agen_out *out) {
  (void)out;
  if (in->abort) {
    s->busy = s->setup = s->ld_on = s->req_valid = s->cst_on = s->cst_valid = 0;
  } else if (!s->busy) {
    if (in->start) start(cfg, s, in);
  } else if (s->setup) {
    set_up(cfg, s);
  } else {
    if (finished(s)) s->busy = 0;
    if (s->ld_on && (in->req_ready || !s->req_valid)) step_loads(cfg, s);
    if (s->cst_on && (in->cst_ready || !s->cst_valid)) step_constants(s);
  }
}

#include "d2ma_agen_model.inc"
