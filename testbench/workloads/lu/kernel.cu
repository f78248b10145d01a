// SPDX-License-Identifier: Apache-2.0
// A = L U in place without pivoting, L with a unit diagonal, A of n x n by rows, n a multiple of 16:
// blocked as Rodinia's lud (Che 2009) in three kernels a step. `diagonal` factors one tile,
// `perimeter` solves for the tiles right of it and below it, `internal` subtracts their products from
// the rest. Operations have the order of Rodinia's source: `diagonal` and `perimeter` subtract product after product from an
// element, in the order of k; `internal` adds the products of a step first and loads the element only then.
#include "tandem_device.h"

#define SIDE 16

#if !defined(TANDEM_VERSION_BASELINE) && !defined(TANDEM_VERSION_IN_ORDER) && !defined(TANDEM_VERSION_D2MA)
#error "define TANDEM_VERSION_BASELINE, TANDEM_VERSION_IN_ORDER or TANDEM_VERSION_D2MA"
#endif

#if defined(TANDEM_VERSION_D2MA)
static __device__ __forceinline__ void buffer(float (*tile)[SIDE], const float *a, unsigned n, unsigned buf) {
  dma_set_datatype_float(buf);
  dma_configure_2d(tile, a, SIDE, SIDE, n, buf);
}
#endif

// One CTA of 16 threads. `at`: first row and column.
extern "C" __global__ void __launch_bounds__(SIDE) lu_diagonal(unsigned n, unsigned at, float *a) {
  __shared__ float tile[SIDE][SIDE];
  unsigned t = threadIdx.x;
  a += (size_t)at * n + at;
#if defined(TANDEM_VERSION_D2MA)
  buffer(tile, a, n, 0);
#elif defined(TANDEM_VERSION_IN_ORDER) // as in Rodinia's source, here and below
  for (unsigned i = 0; i < SIDE; i++) tile[i][t] = a[(size_t)i * n + t];
  __syncthreads();
#else
  float column[SIDE]; // all are asked for before the first is stored
  for (unsigned i = 0; i < SIDE; i++) column[i] = a[(size_t)i * n + t];
  for (unsigned i = 0; i < SIDE; i++) tile[i][t] = column[i];
  __syncthreads();
#endif
  for (unsigned i = 0; i + 1 < SIDE; i++) {
    if (t > i) { // column i of L, thread t as row t
      for (unsigned k = 0; k < i; k++) tile[t][i] = fmaf(-tile[t][k], tile[k][i], tile[t][i]);
      tile[t][i] /= tile[i][i];
    }
    __syncthreads();
    if (t > i) // row i + 1 of U
      for (unsigned k = 0; k <= i; k++) tile[i + 1][t] = fmaf(-tile[i + 1][k], tile[k][t], tile[i + 1][t]);
    __syncthreads();
  }
  for (unsigned i = 1; i < SIDE; i++) a[(size_t)i * n + t] = tile[i][t];
}

// CTA b takes the (b + 1)-th tile right of the diagonal one with its threads 0..15, a column each, and
// the (b + 1)-th below it with its threads 16..31, a row each.
extern "C" __global__ void __launch_bounds__(2 * SIDE) lu_perimeter(unsigned n, unsigned at, float *a) {
  __shared__ float diagonal[SIDE][SIDE], upper[SIDE][SIDE], left[SIDE][SIDE];
  unsigned t = threadIdx.x % SIDE, half = threadIdx.x / SIDE;
  float *d = a + (size_t)at * n + at, *u = d + (blockIdx.x + 1) * SIDE, *l = d + (size_t)(blockIdx.x + 1) * SIDE * n;
#if defined(TANDEM_VERSION_D2MA)
  buffer(diagonal, d, n, 0);
  buffer(upper, u, n, 1);
  buffer(left, l, n, 2);
#elif defined(TANDEM_VERSION_IN_ORDER)
  for (unsigned i = half; i < SIDE; i += 2) diagonal[i][t] = d[(size_t)i * n + t];
  for (unsigned i = half; i < SIDE; i += 2) upper[i][t] = u[(size_t)i * n + t];
  for (unsigned i = half; i < SIDE; i += 2) left[i][t] = l[(size_t)i * n + t];
  __syncthreads();
#else
  float of_d[SIDE / 2], of_u[SIDE / 2], of_l[SIDE / 2];
#pragma unroll
  for (unsigned i = 0; i < SIDE / 2; i++) {
    of_d[i] = d[(size_t)(2 * i + half) * n + t];
    of_u[i] = u[(size_t)(2 * i + half) * n + t];
    of_l[i] = l[(size_t)(2 * i + half) * n + t];
  }
#pragma unroll
  for (unsigned i = 0; i < SIDE / 2; i++) {
    diagonal[2 * i + half][t] = of_d[i];
    upper[2 * i + half][t] = of_u[i];
    left[2 * i + half][t] = of_l[i];
  }
  __syncthreads();
#endif
  if (half == 0) {
    for (unsigned i = 1; i < SIDE; i++) {
      float sum = upper[i][t];
      for (unsigned k = 0; k < i; k++) sum = fmaf(-diagonal[i][k], upper[k][t], sum);
      upper[i][t] = sum;
    }
  } else {
    for (unsigned i = 0; i < SIDE; i++) {
      float sum = left[t][i];
      for (unsigned k = 0; k < i; k++) sum = fmaf(-left[t][k], diagonal[k][i], sum);
      left[t][i] = sum / diagonal[i][i];
    }
  }
  __syncthreads();
  for (unsigned i = half; i < SIDE; i += 2) {
    u[(size_t)i * n + t] = upper[i][t];
    l[(size_t)i * n + t] = left[i][t];
  }
}

// A CTA of 16 x 16 for every tile right of and below the diagonal one.
extern "C" __global__ void __launch_bounds__(SIDE *SIDE) lu_internal(unsigned n, unsigned at, float *a) {
  __shared__ float left[SIDE][SIDE], upper[SIDE][SIDE];
  unsigned x = threadIdx.x, y = threadIdx.y;
  unsigned row = at + (blockIdx.y + 1) * SIDE + y, column = at + (blockIdx.x + 1) * SIDE + x;
#if defined(TANDEM_VERSION_D2MA)
  buffer(left, a + (size_t)(row - y) * n + at, n, 0);
  buffer(upper, a + (size_t)at * n + column - x, n, 1);
#elif defined(TANDEM_VERSION_IN_ORDER)
  upper[y][x] = a[(size_t)(at + y) * n + column];
  left[y][x] = a[(size_t)row * n + at + x];
  __syncthreads();
#else
  float of_left = a[(size_t)row * n + at + x], of_upper = a[(size_t)(at + y) * n + column];
  left[y][x] = of_left;
  upper[y][x] = of_upper;
  __syncthreads();
#endif
  float sum = 0;
#pragma unroll
  for (unsigned k = 0; k < SIDE; k++) sum = fmaf(left[y][k], upper[k][x], sum);
  a[(size_t)row * n + column] -= sum;
}
