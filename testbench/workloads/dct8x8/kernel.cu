// SPDX-License-Identifier: Apache-2.0
// Discrete cosine transform (DCT-II, orthonormal) of every 8 x 8 block of an image, and its inverse,
// in floats (Obukhov, Kharlamov, "Discrete Cosine Transform for 8x8 Blocks with CUDA", 2008; NVIDIA
// SDK, dct8x8). `rows` and `columns` are multiples of 8.
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#if defined(TANDEM_VERSION_XMEM) // the kernel of `padded`, labelled
XMEM_ATOM_TABLE(DCT8X8_ATOMS)
#endif

#if defined(TANDEM_VERSION_BASELINE) || defined(TANDEM_VERSION_PADDED) || defined(TANDEM_VERSION_IN_ORDER) || \
  defined(TANDEM_VERSION_D2MA) || defined(TANDEM_VERSION_XMEM) || defined(TANDEM_VERSION_SIZED)

// A thread transforms a row of 8 samples, then a column; a CTA of 8 x 4 x 2 threads holds 4 x 2
// blocks; of version sized 8 x 4 x threads / 32. Without padding the rows of a block begin in one bank (that is the
// version of Gou 2011).
#define WIDTH 32
#if defined(TANDEM_VERSION_SIZED)
#define HEIGHT (blockDim.z * 8)
#define BOUNDS
#else
#define HEIGHT 16
#define BOUNDS __launch_bounds__(64)
#endif
#if defined(TANDEM_VERSION_PADDED) || defined(TANDEM_VERSION_XMEM)
#define PAD 1
#else
#define PAD 0
#endif

// cos(k pi / 16) / 2
#define A1 0.490392640f
#define A2 0.461939766f
#define A3 0.415734806f
#define A4 0.353553391f
#define A5 0.277785117f
#define A6 0.191341716f
#define A7 0.0975451610f

// Sums and differences of mirrored samples leave a 4-point transform, split once more, and a 4 x 4
// product (Chen, Smith, Fralick 1977, first steps).
static __device__ __forceinline__ void forward(float *v, unsigned stride) {
  float x0 = v[0], x1 = v[stride], x2 = v[2 * stride], x3 = v[3 * stride];
  float x4 = v[4 * stride], x5 = v[5 * stride], x6 = v[6 * stride], x7 = v[7 * stride];
  float s0 = x0 + x7, s1 = x1 + x6, s2 = x2 + x5, s3 = x3 + x4;
  float d0 = x0 - x7, d1 = x1 - x6, d2 = x2 - x5, d3 = x3 - x4;
  float p0 = s0 + s3, p1 = s1 + s2, q0 = s0 - s3, q1 = s1 - s2;
  v[0] = A4 * (p0 + p1);
  v[stride] = A1 * d0 + A3 * d1 + A5 * d2 + A7 * d3;
  v[2 * stride] = A2 * q0 + A6 * q1;
  v[3 * stride] = A3 * d0 - A7 * d1 - A1 * d2 - A5 * d3;
  v[4 * stride] = A4 * (p0 - p1);
  v[5 * stride] = A5 * d0 - A1 * d1 + A7 * d2 + A3 * d3;
  v[6 * stride] = A6 * q0 - A2 * q1;
  v[7 * stride] = A7 * d0 - A5 * d1 + A3 * d2 - A1 * d3;
}

static __device__ __forceinline__ void inverse(float *v, unsigned stride) {
  float x0 = v[0], x1 = v[stride], x2 = v[2 * stride], x3 = v[3 * stride];
  float x4 = v[4 * stride], x5 = v[5 * stride], x6 = v[6 * stride], x7 = v[7 * stride];
  float p0 = A4 * (x0 + x4), p1 = A4 * (x0 - x4), q0 = A2 * x2 + A6 * x6, q1 = A6 * x2 - A2 * x6;
  float s0 = p0 + q0, s1 = p1 + q1, s2 = p1 - q1, s3 = p0 - q0;
  float d0 = A1 * x1 + A3 * x3 + A5 * x5 + A7 * x7, d1 = A3 * x1 - A7 * x3 - A1 * x5 - A5 * x7;
  float d2 = A5 * x1 - A1 * x3 + A7 * x5 + A3 * x7, d3 = A7 * x1 - A5 * x3 + A3 * x5 - A1 * x7;
  v[0] = s0 + d0;
  v[stride] = s1 + d1;
  v[2 * stride] = s2 + d2;
  v[3 * stride] = s3 + d3;
  v[4 * stride] = s3 - d3;
  v[5 * stride] = s2 - d2;
  v[6 * stride] = s1 - d1;
  v[7 * stride] = s0 - d0;
}

template <bool INVERSE, unsigned PITCH>
static __device__ __forceinline__ void transform(unsigned rows, unsigned columns, const float *in, float *out) {
#if defined(TANDEM_VERSION_SIZED)
  extern __shared__ float tile[]; // HEIGHT * PITCH
#else
  __shared__ float tile[HEIGHT * PITCH];
#endif
  unsigned x = threadIdx.y * 8 + threadIdx.x, y = threadIdx.z * 8;
  unsigned column = blockIdx.x * WIDTH + x, row = blockIdx.y * HEIGHT + y;
  bool inside = row < rows && column < columns;
  size_t at = (size_t)row * columns + column;
#if defined(TANDEM_VERSION_D2MA)
  // One transfer of the CTA's rows; where the image ends inside them, what comes after is not used.
  unsigned top = blockIdx.y * HEIGHT;
  dma_set_datatype_float();
  if (PITCH > WIDTH) dma_set_bank_conflict(PITCH - WIDTH);
  dma_configure_2d(tile, in + (size_t)top * columns + blockIdx.x * WIDTH, WIDTH, min(rows - top, (unsigned)HEIGHT),
                   columns);
#elif defined(TANDEM_VERSION_IN_ORDER) // as in the SDK's source
  if (inside)
    for (unsigned i = 0; i < 8; i++) tile[(y + i) * PITCH + x] = in[at + (size_t)i * columns];
  __syncthreads();
#else
  float v[8]; // all are asked for before the first is stored
  if (inside) {
    for (unsigned i = 0; i < 8; i++) v[i] = in[at + (size_t)i * columns];
    for (unsigned i = 0; i < 8; i++) tile[(y + i) * PITCH + x] = v[i];
  }
  __syncthreads();
#endif
  float *my_row = tile + (y + threadIdx.x) * PITCH + threadIdx.y * 8, *my_column = tile + y * PITCH + x;
  if (INVERSE) inverse(my_row, 1);
  else forward(my_row, 1);
  __syncthreads();
  if (INVERSE) inverse(my_column, PITCH);
  else forward(my_column, PITCH);
  __syncthreads();
  if (inside)
    for (unsigned i = 0; i < 8; i++) out[at + (size_t)i * columns] = tile[(y + i) * PITCH + x];
}

#define KERNEL(name, INVERSE, PITCH)                                                                     \
  extern "C" __global__ void BOUNDS name(unsigned rows, unsigned columns, const float *in, float *out) { \
    transform<INVERSE, PITCH>(rows, columns, in, out);                                                   \
  }
KERNEL(dct8x8, false, WIDTH + PAD)
KERNEL(idct8x8, true, WIDTH + PAD)
// bank mode of D2MA: a word is left free after every 32, a row, as in version padded
#if defined(TANDEM_VERSION_D2MA) || defined(TANDEM_VERSION_IN_ORDER) || defined(TANDEM_VERSION_SIZED)
KERNEL(dct8x8_gap, false, WIDTH + 1)
KERNEL(idct8x8_gap, true, WIDTH + 1)
#endif

#elif defined(TANDEM_VERSION_NAIVE)

// By the definition: C X C^T, one thread a coefficient, one CTA of 8 x 8 a block. basis[u][x].
__constant__ float basis[8][8] = {
  {0.353553391f, 0.353553391f, 0.353553391f, 0.353553391f, 0.353553391f, 0.353553391f, 0.353553391f, 0.353553391f},
  {0.490392640f, 0.415734806f, 0.277785117f, 0.097545161f, -0.097545161f, -0.277785117f, -0.415734806f, -0.490392640f},
  {0.461939766f, 0.191341716f, -0.191341716f, -0.461939766f, -0.461939766f, -0.191341716f, 0.191341716f, 0.461939766f},
  {0.415734806f, -0.097545161f, -0.490392640f, -0.277785117f, 0.277785117f, 0.490392640f, 0.097545161f, -0.415734806f},
  {0.353553391f, -0.353553391f, -0.353553391f, 0.353553391f, 0.353553391f, -0.353553391f, -0.353553391f, 0.353553391f},
  {0.277785117f, -0.490392640f, 0.097545161f, 0.415734806f, -0.415734806f, -0.097545161f, 0.490392640f, -0.277785117f},
  {0.191341716f, -0.461939766f, 0.461939766f, -0.191341716f, -0.191341716f, 0.461939766f, -0.461939766f, 0.191341716f},
  {0.097545161f, -0.277785117f, 0.415734806f, -0.490392640f, 0.490392640f, -0.415734806f, 0.277785117f, -0.097545161f},
};

template <bool INVERSE>
static __device__ __forceinline__ void transform(unsigned columns, const float *in, float *out) {
  __shared__ float block[8][8], half[8][8];
  unsigned x = threadIdx.x, y = threadIdx.y;
  size_t at = (size_t)(blockIdx.y * 8 + y) * columns + blockIdx.x * 8 + x;
  block[y][x] = in[at];
  __syncthreads();
  float sum = 0.f;
  for (unsigned i = 0; i < 8; i++) sum = fmaf(block[y][i], INVERSE ? basis[i][x] : basis[x][i], sum);
  half[y][x] = sum;
  __syncthreads();
  sum = 0.f;
  for (unsigned i = 0; i < 8; i++) sum = fmaf(INVERSE ? basis[i][y] : basis[y][i], half[i][x], sum);
  out[at] = sum;
}

extern "C" __global__ void __launch_bounds__(64) dct8x8(unsigned, unsigned columns, const float *in, float *out) {
  transform<false>(columns, in, out);
}
extern "C" __global__ void __launch_bounds__(64) idct8x8(unsigned, unsigned columns, const float *in, float *out) {
  transform<true>(columns, in, out);
}

#else
#error "define TANDEM_VERSION_BASELINE, _PADDED, _IN_ORDER, _D2MA, _NAIVE, _XMEM or _SIZED"
#endif
