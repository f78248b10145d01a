/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of a line compressed by base and deltas (Vijaykumar 2019, 5.5.1; assumption: positions of the fields). */
#ifndef TANDEM_BLOCKS_CABA_BDI_H
#define TANDEM_BLOCKS_CABA_BDI_H

#include <stdint.h>

enum bdi_code { BDI_ZEROS, BDI_REP8, BDI_B8D1, BDI_B8D2, BDI_B8D4, BDI_B4D1, BDI_B4D2, BDI_B2D1, BDI_PLAIN = 15 };
enum { BDI_LINE_MAX = 128, BDI_HEAD = 16 };

/* Bytes of a lane and of a delta, and where mask, base and deltas begin. */
struct bdi_layout {
  uint8_t lane, delta, mask, base, deltas;
};

static const struct bdi_layout bdi_b8d1 = {8, 1, 2, 8, 16}, bdi_b8d2 = {8, 2, 2, 8, 16}, bdi_b8d4 = {8, 4, 2, 8, 16},
                               bdi_b4d1 = {4, 1, 4, 8, 12}, bdi_b4d2 = {4, 2, 4, 8, 12}, bdi_b2d1 = {2, 1, 8, 2, 16};

/* The lowest `n` bits, 1 to 64. */
static inline uint64_t bdi_ones(uint32_t n) { return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1; }

/* `n` bytes, lowest first. */
static inline uint64_t bdi_get(const uint8_t *at, uint32_t n) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < n; i++) value |= (uint64_t)at[i] << 8 * i;
  return value;
}

static inline uint64_t bdi_signed(const uint8_t *at, uint32_t n) {
  uint64_t value = bdi_get(at, n), sign = UINT64_C(1) << (8 * n - 1);
  return (value ^ sign) - sign;
}

static inline void bdi_put(uint8_t *at, uint32_t n, uint64_t value) {
  for (uint32_t i = 0; i < n; i++) at[i] = (uint8_t)(value >> 8 * i);
}

#endif
