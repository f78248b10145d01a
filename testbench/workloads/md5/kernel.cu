// SPDX-License-Identifier: Apache-2.0
// MD5 (RFC 1321) of every window of some words, a word apart, a thread a window: the sliding-window hash of a
// storage system (StoreGPU, Al-Kiswany 2008; STO of Bakhoda 2009). A CTA's words pass through shared memory.
#include "tandem_device.h"

#define THREADS 128
#define WINDOW 256 // words, at most

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

// clang folds these into the unrolled rounds
static __device__ const unsigned md5_sine[64] = {
  0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
  0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
  0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
  0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
  0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
  0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
  0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
  0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};
static __device__ const unsigned char md5_shift[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

static __device__ __forceinline__ void md5_block(const unsigned *word, unsigned *state) {
  unsigned a = state[0], b = state[1], c = state[2], d = state[3];
#pragma unroll
  for (unsigned i = 0; i < 64; i++) {
    unsigned mix, k;
    if (i < 16) mix = (b & c) | (~b & d), k = i;
    else if (i < 32) mix = (d & b) | (~d & c), k = (5 * i + 1) % 16;
    else if (i < 48) mix = b ^ c ^ d, k = (3 * i + 5) % 16;
    else mix = c ^ (b | ~d), k = 7 * i % 16;
    unsigned sum = a + mix + md5_sine[i] + word[k], turn = md5_shift[i / 16 * 4 + i % 4];
    a = d, d = c, c = b;
    b += sum << turn | sum >> (32 - turn);
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
}

// digest: four words a window, a plane of `windows` for each
extern "C" __global__ void __launch_bounds__(THREADS)
  md5(unsigned windows, unsigned window, const unsigned *data, unsigned *digest) {
  __shared__ unsigned buffer[THREADS + WINDOW];
  unsigned t = threadIdx.x, base = blockIdx.x * THREADS, words = windows + window - 1;
  for (unsigned i = t; i < THREADS + window - 1; i += THREADS)
    if (base + i < words) buffer[i] = data[base + i];
  __syncthreads();
  if (base + t >= windows) return;
  unsigned state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}, blocks = (window + 2) / 16 + 1;
  for (unsigned block = 0; block < blocks; block++) {
    unsigned word[16];
#pragma unroll
    for (unsigned k = 0; k < 16; k++) {
      unsigned at = block * 16 + k;
      word[k] = at < window ? buffer[t + at] : at == window ? 0x80u : 0u;
    }
    if (block + 1 == blocks) word[14] = window * 32; // bits; below 2^32
    md5_block(word, state);
  }
  for (unsigned i = 0; i < 4; i++) digest[(size_t)i * windows + base + t] = state[i];
}
