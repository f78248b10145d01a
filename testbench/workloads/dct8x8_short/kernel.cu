// SPDX-License-Identifier: Apache-2.0
// The transform of dct8x8 on 16-bit whole numbers: cosines of 13 bits, two bits more between the
// passes (as the NVIDIA SDK's dct8x8 has it for JPEG; Loeffler 1989 for the scaling). CTAs of 8 x 4 x 4
// threads with 4 x 4 blocks; a row is read as four words of two samples.
#include "tandem_device.h"

#define SIDE 32
#define BITS 13
#define EXTRA 2
#if defined(TANDEM_VERSION_PADDED)
#define PITCH (SIDE + 2) // a word more
#elif defined(TANDEM_VERSION_BASELINE)
#define PITCH SIDE // rows begin in one or two banks (the version of Gou 2011)
#else
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_PADDED"
#endif

// cos(k pi / 16) / 2 in units of 2^-13
#define A1 4017
#define A2 3784
#define A3 3406
#define A4 2896
#define A5 2276
#define A6 1567
#define A7 799

// v[k] becomes sum_i basis[k][i] v[i], rounded once: no other order or splitting of the sum differs.
static __device__ __forceinline__ void forward(int *v, int shift) {
  int half = 1 << (shift - 1);
  int s0 = v[0] + v[7], s1 = v[1] + v[6], s2 = v[2] + v[5], s3 = v[3] + v[4];
  int d0 = v[0] - v[7], d1 = v[1] - v[6], d2 = v[2] - v[5], d3 = v[3] - v[4];
  int p0 = s0 + s3, p1 = s1 + s2, q0 = s0 - s3, q1 = s1 - s2;
  v[0] = (A4 * (p0 + p1) + half) >> shift;
  v[1] = (A1 * d0 + A3 * d1 + A5 * d2 + A7 * d3 + half) >> shift;
  v[2] = (A2 * q0 + A6 * q1 + half) >> shift;
  v[3] = (A3 * d0 - A7 * d1 - A1 * d2 - A5 * d3 + half) >> shift;
  v[4] = (A4 * (p0 - p1) + half) >> shift;
  v[5] = (A5 * d0 - A1 * d1 + A7 * d2 + A3 * d3 + half) >> shift;
  v[6] = (A6 * q0 - A2 * q1 + half) >> shift;
  v[7] = (A7 * d0 - A5 * d1 + A3 * d2 - A1 * d3 + half) >> shift;
}

static __device__ __forceinline__ void inverse(int *v, int shift) {
  int half = 1 << (shift - 1);
  int p0 = A4 * (v[0] + v[4]) + half, p1 = A4 * (v[0] - v[4]) + half;
  int q0 = A2 * v[2] + A6 * v[6], q1 = A6 * v[2] - A2 * v[6];
  int s0 = p0 + q0, s1 = p1 + q1, s2 = p1 - q1, s3 = p0 - q0;
  int d0 = A1 * v[1] + A3 * v[3] + A5 * v[5] + A7 * v[7], d1 = A3 * v[1] - A7 * v[3] - A1 * v[5] - A5 * v[7];
  int d2 = A5 * v[1] - A1 * v[3] + A7 * v[5] + A3 * v[7], d3 = A7 * v[1] - A5 * v[3] + A3 * v[5] - A1 * v[7];
  v[0] = (s0 + d0) >> shift;
  v[1] = (s1 + d1) >> shift;
  v[2] = (s2 + d2) >> shift;
  v[3] = (s3 + d3) >> shift;
  v[4] = (s3 - d3) >> shift;
  v[5] = (s2 - d2) >> shift;
  v[6] = (s1 - d1) >> shift;
  v[7] = (s0 - d0) >> shift;
}

template <bool INVERSE>
static __device__ __forceinline__ void transform(unsigned rows, unsigned columns, const short *in, short *out) {
  __shared__ unsigned words[SIDE * PITCH / 2];
  short *tile = (short *)words;
  unsigned x = threadIdx.y * 8 + threadIdx.x, y = threadIdx.z * 8;
  unsigned column = blockIdx.x * SIDE + x, row = blockIdx.y * SIDE + y;
  bool inside = row < rows && column < columns;
  size_t at = (size_t)row * columns + column;
  int v[8];
  if (inside) {
    for (unsigned i = 0; i < 8; i++) v[i] = in[at + (size_t)i * columns]; // all before the first is stored
    for (unsigned i = 0; i < 8; i++) tile[(y + i) * PITCH + x] = (short)v[i];
  }
  __syncthreads();
  unsigned *my_row = words + ((y + threadIdx.x) * PITCH + threadIdx.y * 8) / 2;
#pragma unroll
  for (unsigned i = 0; i < 4; i++) {
    unsigned word = my_row[i];
    v[2 * i] = (short)word;
    v[2 * i + 1] = (int)word >> 16;
  }
  if (INVERSE) inverse(v, BITS - EXTRA);
  else forward(v, BITS - EXTRA);
#pragma unroll
  for (unsigned i = 0; i < 4; i++) my_row[i] = (v[2 * i] & 0xffff) | (unsigned)v[2 * i + 1] << 16;
  __syncthreads();
#pragma unroll
  for (unsigned i = 0; i < 8; i++) v[i] = tile[(y + i) * PITCH + x];
  if (INVERSE) inverse(v, BITS + EXTRA);
  else forward(v, BITS + EXTRA);
#pragma unroll
  for (unsigned i = 0; i < 8; i++) tile[(y + i) * PITCH + x] = (short)v[i];
  __syncthreads();
  if (inside)
    for (unsigned i = 0; i < 8; i++) out[at + (size_t)i * columns] = tile[(y + i) * PITCH + x];
}

extern "C" __global__ void __launch_bounds__(128)
  dct8x8_short(unsigned rows, unsigned columns, const short *in, short *out) {
  transform<false>(rows, columns, in, out);
}
extern "C" __global__ void __launch_bounds__(128)
  idct8x8_short(unsigned rows, unsigned columns, const short *in, short *out) {
  transform<true>(rows, columns, in, out);
}
