/* SPDX-License-Identifier: Apache-2.0 */
/* Access to rows of a matrix that a port carries as bits i * columns + column. */
#ifndef TANDEM_BLOCKS_ALLOC_REQUEST_MATRIX_H
#define TANDEM_BLOCKS_ALLOC_REQUEST_MATRIX_H

#include <stdint.h>

/* Row i of `columns` bits, 1..32. */
static inline uint32_t matrix_row(const uint32_t *flat, uint32_t i, uint32_t columns) {
  uint32_t at = i * columns;
  uint64_t x = flat[at / 32];
  if (at % 32 + columns > 32) x |= (uint64_t)flat[at / 32 + 1] << 32;
  return (uint32_t)(x >> at % 32 & ((UINT64_C(1) << columns) - 1));
}

/* 64 bits of the matrix; the port has an even number of words. */
static inline uint64_t matrix_word(const uint32_t *flat, uint32_t w) {
  return flat[2 * w] | (uint64_t)flat[2 * w + 1] << 32;
}

static inline void matrix_set(uint32_t *flat, uint32_t i, uint32_t column, uint32_t columns) {
  uint32_t at = i * columns + column;
  flat[at / 32] |= UINT32_C(1) << at % 32;
}

#endif
