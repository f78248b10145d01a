/* SPDX-License-Identifier: Apache-2.0 */
/* The record that the k-th random access of group i goes to, of host and device: 32 bits, mixed by two
 * multiplications (ours). */
#ifndef MIX_HASH_H
#define MIX_HASH_H

#if defined(__CUDACC__) || defined(__CUDA__) /* nvcc, clang */
__device__
#endif
  static inline unsigned
  mix_hash(unsigned i, unsigned k) {
  unsigned x = (i * 8 + k) * 0x9e3779b1u;
  x = (x ^ x >> 15) * 0x85ebca77u;
  return x ^ x >> 13;
}

#endif
