/* SPDX-License-Identifier: Apache-2.0 */
/* The lines that a thread block reads by one row of TELEPORT's table (Lashgar et al. 2018, equations 2 and 3; assumption: ports
 * and cycle behaviour). The header of rtl/teleport/teleport_range.v states the contract of the ports. */
#include "block/block.h"
#include "teleport_range_ports.h"

enum { LINE_BYTES = 128, SUM_BITS = 50, NARROW_SUM_BITS = 34, NARROW_ADDRESS_BITS = 42, ROWS_HELD = 3 };

struct teleport_range_state {
  uint64_t base, minsum, maxsum; /* sums: signed, SUM_BITS bits; narrow: NARROW_SUM_BITS */
  uint64_t min, max;             /* bytes of the range; min moves on from line to line */
  uint64_t base2;                /* overlapped: base and size of the row whose sums are known */
  uint32_t minp[3], maxp[3], mino, maxo;
  uint16_t index[3], size, size2;
  uint8_t held, summed, lines; /* a row as it was taken; one whose sums are known; one whose addresses are known */
  uint8_t large;               /* a narrow row's sum is too large; of the row whose addresses are known */
};

static void teleport_range_reset(const struct teleport_range_cfg *cfg, struct teleport_range_state *s) {
  (void)cfg;
  __builtin_memset(s, 0, sizeof *s);
}

static void teleport_range_eval(const struct teleport_range_cfg *cfg, const struct teleport_range_state *s,
                                const struct teleport_range_in *in, struct teleport_range_out *out) {
  bool err = s->lines && s->large, empty = s->max <= s->min || err;
  out->err = err;
  out->line_valid = s->lines && !empty;
  out->line_addr = out->line_valid ? s->min / LINE_BYTES * LINE_BYTES : 0;
  out->last = s->lines && (empty || s->min / LINE_BYTES == (s->max - 1) / LINE_BYTES);
  bool ends = out->last && (empty || in->out_ready);
  out->busy = s->held || s->summed || s->lines;
  out->row_ready = ends || (cfg->OVERLAP ? s->held + s->summed + s->lines < ROWS_HELD : !out->busy);
}

/* A field as a number of 64 bits: signed in wide rows. */
static uint64_t extended(const struct teleport_range_cfg *cfg, uint32_t field) {
  return cfg->WIDE ? (uint64_t)(int64_t)(int32_t)field : field;
}

static uint64_t sum_of(const struct teleport_range_cfg *cfg, const struct teleport_range_state *s, const uint32_t *per,
                       uint32_t offset) {
  uint64_t sum = extended(cfg, per[0]) * s->index[0] + extended(cfg, offset);
  sum += extended(cfg, per[1]) * s->index[1];
  sum += extended(cfg, per[2]) * s->index[2];
  return sum & ((UINT64_C(1) << (cfg->WIDE ? SUM_BITS : NARROW_SUM_BITS)) - 1);
}

/* Mask of an address's bits. */
static uint64_t addresses(const struct teleport_range_cfg *cfg) {
  return cfg->WIDE ? UINT64_MAX : (UINT64_C(1) << NARROW_ADDRESS_BITS) - 1;
}

static uint64_t address(uint64_t base, uint64_t sum, uint16_t size) {
  uint64_t elements = (uint64_t)((int64_t)(sum << (64 - SUM_BITS)) >> (64 - SUM_BITS));
  return base + elements * size;
}

static void take(const struct teleport_range_cfg *cfg, struct teleport_range_state *s,
                 const struct teleport_range_in *in) {
  uint32_t all = cfg->WIDE ? UINT32_MAX : UINT16_MAX;
  s->base = cfg->WIDE ? in->base : (uint32_t)in->base;
  s->size = cfg->WIDE ? in->typesize : (uint8_t)in->typesize;
  for (int k = 0; k < 3; k++) s->minp[k] = in->minp[k] & all, s->maxp[k] = in->maxp[k] & all;
  s->mino = in->mino & all, s->maxo = in->maxo & all;
  s->index[0] = in->bx, s->index[1] = in->by, s->index[2] = in->bz;
  s->held = 1;
}

/* From the last stage to the first, so that a row moves by one stage. */
static void teleport_range_tick(const struct teleport_range_cfg *cfg, struct teleport_range_state *s,
                                const struct teleport_range_in *in, const struct teleport_range_out *out) {
  bool goes = out->line_valid && in->out_ready;
  if (out->last && (goes || !out->line_valid)) s->lines = 0;
  if (goes) s->min = ((s->min / LINE_BYTES + 1) * LINE_BYTES) & addresses(cfg);
  if (s->summed && !s->lines) {
    uint64_t base = cfg->OVERLAP ? s->base2 : s->base;
    uint16_t size = cfg->OVERLAP ? s->size2 : s->size;
    s->min = address(base, s->minsum, size);
    s->max = address(base, s->maxsum, size);
    s->large = !cfg->WIDE && (s->minsum | s->maxsum) >> 31;
    s->summed = 0;
    s->lines = 1;
  }
  if (s->held && !s->summed) {
    s->minsum = sum_of(cfg, s, s->minp, s->mino);
    s->maxsum = sum_of(cfg, s, s->maxp, s->maxo);
    if (cfg->OVERLAP) s->base2 = s->base, s->size2 = s->size;
    s->held = 0;
    s->summed = 1;
  }
  if (out->row_ready && in->row_valid) take(cfg, s, in);
}

#include "teleport_range_model.inc"
