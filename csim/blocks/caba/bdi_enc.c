/* SPDX-License-Identifier: Apache-2.0 */
/* Compresses a line by a base and deltas, in five stages (Vijaykumar 2019, 5.5.1). The header of rtl/caba/bdi_enc.v states order of
 * codes, layout and timing. */
#include "bdi_enc_ports.h"
#include "block/block.h"
#include "blocks/caba/bdi.h"

enum { SIZES8 = 3, SIZES4 = 2 }; /* delta sizes of 8- and 4-byte lanes: 1, 2, 4 bytes */

struct bdi_enc_state {
  uint8_t line1[BDI_LINE_MAX], line2[BDI_LINE_MAX], line3[BDI_LINE_MAX], line4[BDI_LINE_MAX], image5[BDI_LINE_MAX];
  /* lanes that are deltas by themselves, a bit each, by size */
  uint64_t small8_1, small8_2, small8_3, small4_1, small4_2, small4_3, small2_1, small2_2, small2_3;
  uint64_t base8_2[SIZES8], base8_3[SIZES8]; /* bases: with BASE_MODE = 1; else the line holds them */
  uint64_t base4_2, base4_3;                 /* two of 32 bits */
  uint64_t base4b, adds4;                    /* of the code that is taken: its base, and the lanes that need it */
  uint16_t base2_2, base2_3;
  uint8_t v1, v2, v3, v4, v5; /* stages that have a line */
  uint8_t zeros1, zeros2, zeros3, repeats1, repeats2, repeats3;
  uint8_t holds3; /* codes 2 to 7 that can hold the line */
  uint8_t code4, code5;
};

static void bdi_enc_reset(const struct bdi_enc_cfg *cfg, struct bdi_enc_state *s) {
  (void)cfg;
  *s = (struct bdi_enc_state){0}; /* bytes behind a small line stay 0 */
}

/* Bytes of the image of a code. */
static uint32_t image_bytes(uint32_t code, uint32_t line) {
  switch (code) {
    case BDI_ZEROS: return 1;
    case BDI_REP8: return 16;
    case BDI_B8D1: return 16 + line / 8;
    case BDI_B8D2: return 16 + line / 4;
    case BDI_B8D4: return 16 + line / 2;
    case BDI_B4D1: return 12 + line / 4;
    case BDI_B4D2: return 12 + line / 2;
    case BDI_B2D1: return 16 + line / 2;
    default: return line;
  }
}

static void bdi_enc_eval(const struct bdi_enc_cfg *cfg, const struct bdi_enc_state *s, const struct bdi_enc_in *in,
                         struct bdi_enc_out *out) {
  (void)in;
  __builtin_memset(out, 0, sizeof *out);
  out->out_valid = s->v5;
  out->busy = s->v1 | s->v2 | s->v3 | s->v4 | s->v5;
  if (!s->v5) return;
  out->enc = s->code5;
  out->len = (uint8_t)image_bytes(s->code5, (uint32_t)cfg->LINE);
  __builtin_memcpy(out->image, s->image5, (size_t)cfg->LINE);
}

/* A bit for each lane of `lane` bytes that is a delta of `delta` bytes to `base`: the difference, and half of what a delta can be, have no
 * higher bytes. Inlined, so that sizes are constants and a lane is a load. */
static inline __attribute__((always_inline)) uint64_t deltas(const uint8_t *line, uint32_t bytes, uint32_t lane,
                                                             uint32_t delta, uint64_t base) {
  uint64_t found = 0, bits = bdi_ones(8 * lane), half = UINT64_C(1) << (8 * delta - 1);
  for (uint32_t i = 0; i < bytes / lane; i++) {
    uint64_t value = 0;
    __builtin_memcpy(&value, line + i * lane, lane);
    found |= (uint64_t)(((value - base + half) & bits) >> 8 * delta == 0) << i;
  }
  return found;
}

/* The same by lanes, and by the number of a size of deltas. */
static uint64_t deltas8(const uint8_t *line, uint32_t bytes, uint32_t k, uint64_t base) {
  return k == 0   ? deltas(line, bytes, 8, 1, base)
         : k == 1 ? deltas(line, bytes, 8, 2, base)
                  : deltas(line, bytes, 8, 4, base);
}
static uint64_t deltas4(const uint8_t *line, uint32_t bytes, uint32_t k, uint64_t base) {
  return k ? deltas(line, bytes, 4, 2, base) : deltas(line, bytes, 4, 1, base);
}
static uint64_t deltas2(const uint8_t *line, uint32_t bytes, uint64_t base) { return deltas(line, bytes, 2, 1, base); }

static void stage1(uint32_t bytes, struct bdi_enc_state *s, const uint8_t *line) {
  uint64_t first, any = 0, other = 0;
  __builtin_memcpy(s->line1, line, bytes);
  __builtin_memcpy(&first, line, sizeof first);
  for (uint32_t i = 0; i < bytes; i += 8) {
    uint64_t value;
    __builtin_memcpy(&value, line + i, sizeof value);
    any |= value, other |= value ^ first;
  }
  s->zeros1 = !any;
  s->repeats1 = !other;
  s->small8_1 = s->small4_1 = 0;
  for (uint32_t k = 0; k < SIZES8; k++) s->small8_1 |= deltas8(line, bytes, k, 0) << k * (bytes / 8);
  for (uint32_t k = 0; k < SIZES4; k++) s->small4_1 |= deltas4(line, bytes, k, 0) << k * (bytes / 4);
  s->small2_1 = deltas2(line, bytes, 0);
}

/* The first lane that is not in `small`; 0 without one. */
static uint64_t needed(const struct bdi_enc_cfg *cfg, const uint8_t *line, uint32_t lane, uint64_t small) {
  for (uint32_t i = 0; i < (uint32_t)cfg->LINE / lane; i++)
    if (!(small >> i & 1)) return bdi_get(line + i * lane, lane);
  return 0;
}

static void stage2(const struct bdi_enc_cfg *cfg, struct bdi_enc_state *s) {
  uint32_t bytes = (uint32_t)cfg->LINE;
  __builtin_memcpy(s->line2, s->line1, bytes);
  s->small8_2 = s->small8_1, s->small4_2 = s->small4_1, s->small2_2 = s->small2_1;
  s->zeros2 = s->zeros1, s->repeats2 = s->repeats1;
  if (!cfg->BASE_MODE) return;
  for (uint32_t k = 0; k < SIZES8; k++) s->base8_2[k] = needed(cfg, s->line1, 8, s->small8_1 >> k * (bytes / 8));
  s->base4_2 = needed(cfg, s->line1, 4, s->small4_1) | needed(cfg, s->line1, 4, s->small4_1 >> bytes / 4) << 32;
  s->base2_2 = (uint16_t)needed(cfg, s->line1, 2, s->small2_1);
}

/* The base of lanes of `lane` bytes: what is stored, or the first lane. */
static uint64_t base_of(const struct bdi_enc_cfg *cfg, const uint8_t *line, uint32_t lane, uint64_t stored) {
  return cfg->BASE_MODE ? stored : bdi_get(line, lane);
}

/* Whether each of `lanes` lanes has its bit. */
static bool all_of(uint64_t bits, uint32_t lanes) { return (~bits & bdi_ones(lanes)) == 0; }

static void stage3(const struct bdi_enc_cfg *cfg, struct bdi_enc_state *s) {
  uint32_t bytes = (uint32_t)cfg->LINE;
  __builtin_memcpy(s->line3, s->line2, bytes);
  s->small8_3 = s->small8_2, s->small4_3 = s->small4_2, s->small2_3 = s->small2_2;
  s->zeros3 = s->zeros2, s->repeats3 = s->repeats2;
  __builtin_memcpy(s->base8_3, s->base8_2, sizeof s->base8_3);
  s->base4_3 = s->base4_2, s->base2_3 = s->base2_2;
  s->holds3 = 0;
  for (uint32_t k = 0; k < SIZES8; k++) {
    uint64_t base = base_of(cfg, s->line2, 8, s->base8_2[k]);
    uint64_t small = s->small8_2 >> k * (bytes / 8);
    s->holds3 |= (uint8_t)(all_of(small | deltas8(s->line2, bytes, k, base), bytes / 8) << k);
  }
  for (uint32_t k = 0; k < SIZES4; k++) {
    uint64_t base = base_of(cfg, s->line2, 4, s->base4_2 >> 32 * k & UINT32_MAX);
    uint64_t small = s->small4_2 >> k * (bytes / 4);
    s->holds3 |= (uint8_t)(all_of(small | deltas4(s->line2, bytes, k, base), bytes / 4) << (3 + k));
  }
  uint64_t near2 = deltas2(s->line2, bytes, base_of(cfg, s->line2, 2, s->base2_2));
  s->holds3 |= (uint8_t)(all_of(s->small2_2 | near2, bytes / 2) << 5);
}

static uint8_t choose(const struct bdi_enc_cfg *cfg, const struct bdi_enc_state *s) {
  static const uint8_t order[] = {BDI_ZEROS, BDI_REP8, BDI_B8D1, BDI_B4D1, BDI_B8D2, BDI_B4D2, BDI_B2D1, BDI_B8D4};
  uint32_t can = (uint32_t)s->zeros3 | (uint32_t)s->repeats3 << 1 | (uint32_t)s->holds3 << 2;
  for (uint32_t i = 0; i < sizeof order; i++)
    if (can >> order[i] & 1 && (int32_t)image_bytes(order[i], (uint32_t)cfg->LINE) <= cfg->MOST) return order[i];
  return BDI_PLAIN;
}

static void stage4(const struct bdi_enc_cfg *cfg, struct bdi_enc_state *s) {
  uint32_t lanes8 = (uint32_t)cfg->LINE / 8, lanes4 = (uint32_t)cfg->LINE / 4, lanes2 = (uint32_t)cfg->LINE / 2;
  uint64_t all8 = bdi_ones(lanes8), all4 = bdi_ones(lanes4), all2 = bdi_ones(lanes2);
  __builtin_memcpy(s->line4, s->line3, (size_t)cfg->LINE);
  s->base4b = s->adds4 = 0;
  switch (s->code4 = choose(cfg, s)) {
    case BDI_REP8: s->base4b = bdi_get(s->line3, 8); break;
    case BDI_B8D1: s->base4b = base_of(cfg, s->line3, 8, s->base8_3[0]), s->adds4 = ~s->small8_3 & all8; break;
    case BDI_B8D2:
      s->base4b = base_of(cfg, s->line3, 8, s->base8_3[1]), s->adds4 = ~(s->small8_3 >> lanes8) & all8;
      break;
    case BDI_B8D4:
      s->base4b = base_of(cfg, s->line3, 8, s->base8_3[2]), s->adds4 = ~(s->small8_3 >> 2 * lanes8) & all8;
      break;
    case BDI_B4D1:
      s->base4b = base_of(cfg, s->line3, 4, s->base4_3 & UINT32_MAX), s->adds4 = ~s->small4_3 & all4;
      break;
    case BDI_B4D2:
      s->base4b = base_of(cfg, s->line3, 4, s->base4_3 >> 32), s->adds4 = ~(s->small4_3 >> lanes4) & all4;
      break;
    case BDI_B2D1: s->base4b = base_of(cfg, s->line3, 2, s->base2_3), s->adds4 = ~s->small2_3 & all2; break;
    default: break;
  }
}

/* Mask, base and deltas of the code at `l`. Deltas behind the line are of codes that are not taken. */
static void compress(struct bdi_enc_state *s, uint32_t bytes, struct bdi_layout l, uint8_t *image) {
  uint32_t lanes = bytes / l.lane;
  uint64_t adds = s->adds4 & bdi_ones(lanes);
  bdi_put(image + l.base, l.lane, s->base4b);
  for (uint32_t i = 0; i < lanes; i += 8) image[l.mask + i / 8] = (uint8_t)(adds >> i);
  for (uint32_t i = 0; i < lanes; i++) {
    uint64_t value = bdi_get(s->line4 + i * l.lane, l.lane);
    bdi_put(image + l.deltas + i * l.delta, l.delta, adds >> i & 1 ? value - s->base4b : value);
  }
}

static void stage5(uint32_t bytes, struct bdi_enc_state *s) {
  uint8_t image[BDI_LINE_MAX + BDI_HEAD] = {0};
  image[0] = (uint8_t)(1 << 4 | s->code4);
  switch (s->code4) {
    case BDI_ZEROS: break;
    case BDI_REP8: bdi_put(image + 8, 8, s->base4b); break;
    case BDI_B8D1: compress(s, bytes, bdi_b8d1, image); break;
    case BDI_B8D2: compress(s, bytes, bdi_b8d2, image); break;
    case BDI_B8D4: compress(s, bytes, bdi_b8d4, image); break;
    case BDI_B4D1: compress(s, bytes, bdi_b4d1, image); break;
    case BDI_B4D2: compress(s, bytes, bdi_b4d2, image); break;
    case BDI_B2D1: compress(s, bytes, bdi_b2d1, image); break;
    default: __builtin_memcpy(image, s->line4, bytes); break;
  }
  __builtin_memcpy(s->image5, image, bytes);
  s->code5 = s->code4;
}

static void bdi_enc_tick(const struct bdi_enc_cfg *cfg, struct bdi_enc_state *s, const struct bdi_enc_in *in,
                         const struct bdi_enc_out *out) {
  uint32_t bytes = (uint32_t)cfg->LINE;
  (void)out;
  if (s->v4) stage5(bytes, s);
  if (s->v3) stage4(cfg, s);
  if (s->v2) stage3(cfg, s);
  if (s->v1) stage2(cfg, s);
  if (in->in_valid) stage1(bytes, s, (const uint8_t *)in->in_line);
  s->v5 = s->v4, s->v4 = s->v3, s->v3 = s->v2, s->v2 = s->v1, s->v1 = in->in_valid;
}

#include "bdi_enc_model.inc"
