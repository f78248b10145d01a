/* SPDX-License-Identifier: Apache-2.0 */
/* The LFSR's seed and step, shared with blocks that contain an LFSR. */
#ifndef TANDEM_BLOCKS_PRIM_LFSR_H
#define TANDEM_BLOCKS_PRIM_LFSR_H

#include <stdint.h>

static inline uint64_t lfsr_mask(uint32_t bits) { return UINT64_MAX >> (64 - bits); }

static inline uint64_t lfsr_seed(uint32_t bits, uint32_t seed) {
  uint64_t all = (uint64_t)(seed * 0x9e3779b9U) << 32 | seed * 0x85ebca6bU;
  return ((all ^ UINT64_C(0xc2b2ae3d27d4eb4e)) | 1) & lfsr_mask(bits);
}

static inline uint64_t lfsr_step(uint32_t bits, uint64_t state) {
  uint64_t taps = bits == 16 ? 0xd008 : bits == 32 ? 0x80200003 : UINT64_C(0xd800000000000000);
  return (state << 1 | (uint64_t)__builtin_parityll(state & taps)) & lfsr_mask(bits);
}

#endif
