/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/caba/samples.h"

static void put(uint8_t *at, uint32_t bytes, uint64_t value) {
  for (uint32_t i = 0; i < bytes; i++) at[i] = (uint8_t)(value >> 8 * i);
}

/* Numbers around zero and around a base, of one size, some of them just too far; or zeros, one value, noise. */
static void based(struct rng *g, uint8_t *line) {
  static const uint8_t lanes[] = {8, 8, 8, 4, 4, 2}, widths[] = {1, 2, 4, 1, 2, 1};
  uint32_t kind = rng_below(g, 9), lane = kind < 6 ? lanes[kind] : 8;
  uint64_t base = rng_u64(g) >> rng_below(g, 64), span = UINT64_C(2) << (8 * widths[kind % 6] - 1);
  for (uint32_t i = 0; i < AWS_LINE / lane; i++) {
    uint64_t value = rng_u64(g) % span - span / 2;
    if (!rng_below(g, 40)) value = rng_below(g, 2) ? span / 2 : span / 2 - 1;
    if (i == 0 || rng_below(g, 2)) value += base;
    if (kind == 6) value = 0;
    if (kind == 7) value = base;
    if (kind == 8) value = rng_u64(g);
    put(line + i * lane, lane, value);
  }
}

/* A word of one of the eight patterns, the second of which is a pattern no more. */
static uint32_t patterned(struct rng *g, uint32_t pattern) {
  uint32_t r = rng_u32(g);
  switch (pattern) {
    case 0: return 0;
    case 2: return (r & 0xff) - 128;
    case 3: return (r & 0xffff) - 32768;
    case 4: return r & 0xffff0000;
    case 5: return (((r & 0xff) - 128) & 0xffff) | ((r >> 8 & 0xff) - 128) << 16;
    case 6: return (r & 0xff) * 0x01010101U;
    default: return r;
  }
}

static void segmented(struct rng *g, uint8_t *line) {
  uint32_t raw = rng_below(g, 3); /* segments of no pattern; with too many of them the line stays plain */
  for (uint32_t s = 0; s < 4; s++) {
    uint32_t pattern = s < raw ? 7 : rng_below(g, 7);
    for (uint32_t i = 0; i < 8; i++)
      put(line + 32 * s + 4 * i, 4, patterned(g, rng_below(g, 24) ? pattern : rng_below(g, 7)));
  }
}

/* Words of a dictionary of up to five, with their own low bytes or without. */
static void worded(struct rng *g, uint8_t *line) {
  uint32_t words = rng_below(g, 6), dictionary[5];
  bool low = rng_below(g, 2);
  for (uint32_t i = 0; i < 5; i++) dictionary[i] = rng_u32(g) | 256;
  for (uint32_t i = 0; i < AWS_LINE / 4; i++) {
    uint32_t k = rng_below(g, words + 1), value = k ? dictionary[k - 1] : 0;
    if (low && rng_below(g, 2)) value ^= rng_below(g, rng_below(g, 60) ? 256 : 512);
    put(line + 4 * i, 4, value);
  }
}

void caba_sample_line(struct rng *g, enum caba_sample kind, uint8_t line[AWS_LINE]) {
  if (kind == CABA_SAMPLE_BDI) based(g, line);
  else if (kind == CABA_SAMPLE_FPC) segmented(g, line);
  else worded(g, line);
  if (!rng_below(g, 20)) line[rng_below(g, AWS_LINE)] ^= (uint8_t)rng_below(g, 256);
}
