/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of teleport_range: threads' elements, tiles, constant indexes, ranges that end or begin at edges of lines, negative
 * fields, ranges that wrap, empty ones, sums around the limit of narrow rows, arbitrary fields; free and busy queues, gaps. A
 * range of more than LINES_MOST lines is turned round, which makes it empty. */
#include "block/block_drive.h"
#include "teleport_range_ports.h"

enum { LINES_MOST = 600 };

struct teleport_range_drive_state {
  uint32_t left, style; /* cycles left in this phase */
  uint32_t row_percent, out_percent;
};

static uint64_t bound(const struct teleport_range_cfg *cfg, const struct teleport_range_in *in, const uint32_t *per,
                      uint32_t offset) {
  const uint16_t index[3] = {in->bx, in->by, in->bz};
  uint64_t sum = cfg->WIDE ? (uint64_t)(int64_t)(int32_t)offset : offset & 0xffff;
  for (int k = 0; k < 3; k++) sum += (cfg->WIDE ? (uint64_t)(int64_t)(int32_t)per[k] : per[k] & 0xffff) * index[k];
  return cfg->WIDE ? in->base + sum * in->typesize : (uint32_t)in->base + sum * (uint8_t)in->typesize;
}

static void swap(uint32_t *a, uint32_t *b) {
  uint32_t kept = *a;
  *a = *b;
  *b = kept;
}

/* A contiguous piece: threads * bx + tile rows, the same products at both ends. */
static void draw_piece(struct rng *rng, struct teleport_range_in *in) {
  uint32_t threads = 1U << rng_below(rng, 9);
  in->typesize = (uint16_t)(1U << rng_below(rng, 5));
  in->minp[0] = threads, in->minp[1] = rng_below(rng, 3) ? 0 : threads * rng_below(rng, 64);
  in->minp[2] = rng_below(rng, 8) ? 0 : rng_below(rng, 1000);
  in->mino = rng_below(rng, 4) ? 0 : rng_below(rng, 40);
  for (int k = 0; k < 3; k++) in->maxp[k] = in->minp[k];
  in->maxo = in->mino + threads;
}

/* Around an edge of a line: zero to three bytes or elements from it. */
static void draw_edge(struct rng *rng, struct teleport_range_in *in) {
  in->base &= ~UINT64_C(127);
  in->typesize = (uint16_t)(rng_below(rng, 2) ? 1 : 4);
  in->mino = 128 * rng_below(rng, 3) + rng_below(rng, 3) - 1;
  in->maxo = 128 * rng_below(rng, 4) + rng_below(rng, 3) - 1;
}

static void draw_wild(struct rng *rng, struct teleport_range_in *in) {
  for (int k = 0; k < 3; k++) {
    in->minp[k] = rng_u32(rng);
    in->maxp[k] = rng_below(rng, 4) ? in->minp[k] : rng_u32(rng);
  }
  in->mino = rng_u32(rng);
  in->maxo = rng_below(rng, 4) ? in->mino + rng_below(rng, 300) : rng_u32(rng);
  in->typesize = (uint16_t)(rng_below(rng, 3) ? rng_below(rng, 65) : rng_u32(rng));
}

/* Sums around 2^31: 32768 * 65535 + 32768 = 2^31. */
static void draw_limit(struct rng *rng, struct teleport_range_in *in) {
  for (int k = 0; k < 3; k++) in->minp[k] = 0;
  in->minp[rng_below(rng, 3)] = 32768;
  for (int k = 0; k < 3; k++) in->maxp[k] = in->minp[k];
  in->bx = in->by = in->bz = 65535;
  in->mino = 32700 + rng_below(rng, 70);
  in->maxo = in->mino + rng_below(rng, 40);
  in->typesize = 4;
}

static void draw_row(const struct teleport_range_cfg *cfg, struct rng *rng, uint32_t style,
                     struct teleport_range_in *in) {
  uint64_t a = rng_u64(rng);
  for (int k = 0; k < 3; k++) in->minp[k] = in->maxp[k] = 0;
  in->mino = in->maxo = 0;
  in->base = rng_u64(rng) & (style == 0 ? ~UINT64_C(0) : UINT64_C(0xfffffff));
  if ((a & 31) == 0) in->base |= ~UINT64_C(0xffff);
  in->bx = (uint16_t)(a >> 8 & 0xff), in->by = (uint16_t)(a >> 16 & 0xf), in->bz = (uint16_t)(a >> 20 & 3);
  if ((a >> 24 & 7) == 0) in->bx = (uint16_t)(a >> 32), in->by = (uint16_t)(a >> 48), in->bz = (uint16_t)rng_u32(rng);
  switch (style) {
    case 0:
    case 1: draw_wild(rng, in); break;
    case 2: draw_edge(rng, in); break;
    case 3: draw_limit(rng, in); break;
    default: draw_piece(rng, in); break;
  }
  uint64_t min = bound(cfg, in, in->minp, in->mino), max = bound(cfg, in, in->maxp, in->maxo);
  if (max <= min || max - min < UINT64_C(128) * LINES_MOST) return;
  for (int k = 0; k < 3; k++) swap(&in->minp[k], &in->maxp[k]);
  swap(&in->mino, &in->maxo);
}

static void teleport_range_drive(const struct teleport_range_cfg *cfg, struct rng *rng,
                                 struct teleport_range_drive_state *s, const struct teleport_range_out *last,
                                 struct teleport_range_in *in) {
  static const uint8_t rates[] = {100, 100, 100, 60, 20, 0};
  if (s->left == 0) {
    s->left = 1 + rng_below(rng, 120);
    s->style = rng_below(rng, 8);
    s->row_percent = rates[rng_below(rng, sizeof rates)];
    s->out_percent = rates[rng_below(rng, sizeof rates)];
  }
  s->left--;
  if (!in->row_valid || last->row_ready || rng_below(rng, 200) == 0) {
    draw_row(cfg, rng, s->style, in);
    in->row_valid = rng_percent(rng, s->row_percent);
  }
  in->out_ready = rng_percent(rng, s->out_percent);
}

BLOCK_DRIVER(teleport_range);
