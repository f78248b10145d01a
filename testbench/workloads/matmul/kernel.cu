// SPDX-License-Identifier: Apache-2.0
// C = A B by rows, A of m x k, B of k x n: the matrix product of the CUDA C Programming Guide (3.2,
// shared memory) and of the NVIDIA SDK (matrixMul), CTAs of 16 x 16 or, as the SDK has it since Fermi, of 32 x 32, any m, k
// and n.
#include "tandem_device.h"

#if defined(TANDEM_VERSION_BASELINE) || defined(TANDEM_VERSION_IN_ORDER)

// Tiles of A and B pass through shared memory; beyond the matrices they hold zeros. In order, as in the SDK's source: a
// thread's element of A is stored before its element of B is asked for.
template <unsigned SIDE>
static __device__ __forceinline__ void product(unsigned m, unsigned k, unsigned n, const float *a, const float *b,
                                               float *c) {
  __shared__ float tile_a[SIDE][SIDE], tile_b[SIDE][SIDE];
  unsigned x = threadIdx.x, y = threadIdx.y;
  unsigned column = blockIdx.x * SIDE + x, row = blockIdx.y * SIDE + y;
  float sum = 0.f;
  for (unsigned base = 0; base < k; base += SIDE) {
    float of_a = row < m && base + x < k ? a[(size_t)row * k + base + x] : 0.f;
#if defined(TANDEM_VERSION_IN_ORDER)
    tile_a[y][x] = of_a;
#endif
    float of_b = column < n && base + y < k ? b[(size_t)(base + y) * n + column] : 0.f;
#if defined(TANDEM_VERSION_BASELINE)
    tile_a[y][x] = of_a;
#endif
    tile_b[y][x] = of_b;
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < SIDE; i++) sum = fmaf(tile_a[y][i], tile_b[i][x], sum);
    __syncthreads();
  }
  if (row < m && column < n) c[(size_t)row * n + column] = sum;
}

#elif defined(TANDEM_VERSION_D2MA)

// Two buffers, filled again when every warp has asked for the next tiles. They take whole rows of a tile; where a
// matrix ends inside it, what comes after is not used.
template <unsigned SIDE>
static __device__ __forceinline__ void product(unsigned m, unsigned k, unsigned n, const float *a, const float *b,
                                               float *c) {
  __shared__ float tile_a[SIDE][SIDE], tile_b[SIDE][SIDE];
  unsigned x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * SIDE, top = blockIdx.y * SIDE;
  unsigned column = left + x, row = top + y, rest = k;
  const float *next_a = a + (size_t)top * k, *next_b = b + left;
  dma_set_datatype_float(0);
  dma_configure_2d(tile_a, next_a, SIDE, min(m - top, SIDE), k, 0);
  dma_set_datatype_float(1);
  dma_configure_2d(tile_b, next_b, SIDE, min(k, SIDE), n, 1);
  bool inside = row < m && column < n; // one register less than m across the loop: 32 for 1024 threads
  float sum = 0.f;
  for (;; rest -= SIDE) {
    if (rest < SIDE) {
      for (unsigned i = 0; i < rest; i++) sum = fmaf(tile_a[y][i], tile_b[i][x], sum);
      break;
    }
#pragma unroll
    for (unsigned i = 0; i < SIDE; i++) sum = fmaf(tile_a[y][i], tile_b[i][x], sum);
    if (rest == SIDE) break;
    next_a += SIDE;
    next_b += (size_t)SIDE * n;
    dma_execute(tile_a, next_a, 0);
    if (rest >= 2 * SIDE) dma_execute(tile_b, next_b, 1);
    else dma_configure_2d(tile_b, next_b, SIDE, rest - SIDE, n, 1);
  }
  if (inside) c[(size_t)row * n + column] = sum;
}

#elif defined(TANDEM_VERSION_NAIVE)

// Every thread reads its row of A and its column of B from global memory.
template <unsigned SIDE>
static __device__ __forceinline__ void product(unsigned m, unsigned k, unsigned n, const float *a, const float *b,
                                               float *c) {
  unsigned column = blockIdx.x * SIDE + threadIdx.x, row = blockIdx.y * SIDE + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0.f;
  for (unsigned i = 0; i < k; i++) sum = fmaf(a[(size_t)row * k + i], b[(size_t)i * n + column], sum);
  c[(size_t)row * n + column] = sum;
}

#else
#error "define TANDEM_VERSION_BASELINE, _IN_ORDER, _D2MA or _NAIVE"
#endif

#define KERNEL(name, SIDE)                                                               \
  extern "C" __global__ void __launch_bounds__(SIDE *SIDE)                               \
    name(unsigned m, unsigned k, unsigned n, const float *a, const float *b, float *c) { \
    product<SIDE>(m, k, n, a, b, c);                                                     \
  }
KERNEL(matmul, 16)
KERNEL(matmul32, 32)
