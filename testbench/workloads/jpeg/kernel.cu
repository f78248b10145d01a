// SPDX-License-Identifier: Apache-2.0
// The part of JPEG (ITU-T T.81) that has a block of 8 x 8 pixels to itself: transform and quantisation of grey pixels, and the way
// back. Coefficients are 16-bit, a block after the other, in rows. A CTA has 128 columns of 8 rows: a thread transforms a column, and
// then a row of a block.
#include "tandem_device.h"

#include "blocks.h"

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

__constant__ float jpeg_steps[64]; // of quantisation

// cos(k pi / 16) / 2
#define A1 0.490392640f
#define A2 0.461939766f
#define A3 0.415734806f
#define A4 0.353553391f
#define A5 0.277785117f
#define A6 0.191341716f
#define A7 0.0975451610f

static __device__ __forceinline__ void forward(float *v) {
  float s0 = v[0] + v[7], s1 = v[1] + v[6], s2 = v[2] + v[5], s3 = v[3] + v[4];
  float d0 = v[0] - v[7], d1 = v[1] - v[6], d2 = v[2] - v[5], d3 = v[3] - v[4];
  float p0 = s0 + s3, p1 = s1 + s2, q0 = s0 - s3, q1 = s1 - s2;
  v[0] = A4 * (p0 + p1);
  v[1] = A1 * d0 + A3 * d1 + A5 * d2 + A7 * d3;
  v[2] = A2 * q0 + A6 * q1;
  v[3] = A3 * d0 - A7 * d1 - A1 * d2 - A5 * d3;
  v[4] = A4 * (p0 - p1);
  v[5] = A5 * d0 - A1 * d1 + A7 * d2 + A3 * d3;
  v[6] = A6 * q0 - A2 * q1;
  v[7] = A7 * d0 - A5 * d1 + A3 * d2 - A1 * d3;
}

static __device__ __forceinline__ void inverse(float *v) {
  float p0 = A4 * (v[0] + v[4]), p1 = A4 * (v[0] - v[4]), q0 = A2 * v[2] + A6 * v[6], q1 = A6 * v[2] - A2 * v[6];
  float s0 = p0 + q0, s1 = p1 + q1, s2 = p1 - q1, s3 = p0 - q0;
  float d0 = A1 * v[1] + A3 * v[3] + A5 * v[5] + A7 * v[7], d1 = A3 * v[1] - A7 * v[3] - A1 * v[5] - A5 * v[7];
  float d2 = A5 * v[1] - A1 * v[3] + A7 * v[5] + A3 * v[7], d3 = A7 * v[1] - A5 * v[3] + A3 * v[5] - A1 * v[7];
  v[0] = s0 + d0, v[7] = s0 - d0;
  v[1] = s1 + d1, v[6] = s1 - d1;
  v[2] = s2 + d2, v[5] = s2 - d2;
  v[3] = s3 + d3, v[4] = s3 - d3;
}

struct place {
  unsigned column, across; // of the image; row of a block
  bool inside;
  size_t pixel, block; // the first one of the column; the first coefficient of the row
};

static __device__ __forceinline__ place place_of(unsigned columns) {
  unsigned t = threadIdx.x, column = blockIdx.x * WIDE + t;
  place p = {column, t % 8, column < columns, (size_t)blockIdx.y * 8 * columns + column, 0};
  p.block = ((size_t)blockIdx.y * (columns / 8) + column / 8) * 64 + p.across * 8;
  return p;
}

extern "C" __global__ void __launch_bounds__(WIDE)
  jpeg_encode(unsigned columns, const unsigned char *pixels, short *coefficients) {
  __shared__ float tile[WIDE][9];
  place p = place_of(columns);
  float v[8];
  for (unsigned i = 0; i < 8; i++) v[i] = p.inside ? (float)pixels[p.pixel + i * columns] - 128 : 0;
  forward(v);
  for (unsigned i = 0; i < 8; i++) tile[threadIdx.x][i] = v[i];
  __syncthreads();
  for (unsigned i = 0; i < 8; i++) v[i] = tile[threadIdx.x - p.across + i][p.across];
  forward(v);
  unsigned word[4];
#pragma unroll
  for (unsigned i = 0; i < 4; i++) {
    int low = (int)rintf(v[2 * i] / jpeg_steps[p.across * 8 + 2 * i]);
    int high = (int)rintf(v[2 * i + 1] / jpeg_steps[p.across * 8 + 2 * i + 1]);
    word[i] = (low & 0xffff) | (unsigned)high << 16;
  }
  if (p.inside) *(uint4 *)(coefficients + p.block) = {word[0], word[1], word[2], word[3]};
}

extern "C" __global__ void __launch_bounds__(WIDE)
  jpeg_decode(unsigned columns, const short *coefficients, unsigned char *pixels) {
  __shared__ float tile[WIDE][9];
  place p = place_of(columns);
  uint4 words = {0, 0, 0, 0};
  if (p.inside) words = *(const uint4 *)(coefficients + p.block);
  unsigned word[4] = {words.x, words.y, words.z, words.w};
  float v[8];
#pragma unroll
  for (unsigned i = 0; i < 4; i++) {
    v[2 * i] = (float)(short)word[i] * jpeg_steps[p.across * 8 + 2 * i];
    v[2 * i + 1] = (float)((int)word[i] >> 16) * jpeg_steps[p.across * 8 + 2 * i + 1];
  }
  inverse(v);
  for (unsigned i = 0; i < 8; i++) tile[threadIdx.x][i] = v[i];
  __syncthreads();
  for (unsigned i = 0; i < 8; i++) v[i] = tile[threadIdx.x - p.across + i][p.across];
  inverse(v);
  for (unsigned i = 0; i < 8; i++)
    if (p.inside) pixels[p.pixel + i * columns] = (unsigned char)fminf(fmaxf(rintf(v[i] + 128), 0), 255);
}
