// SPDX-License-Identifier: Apache-2.0
// y = A x, A column by column (m rows, n columns), one thread a row; the vector x passes through
// shared memory, tile after tile (Jamshidi 2014, figure 8 and 5.4; kernel after CudaDMA).
#include "tandem_device.h"

#define THREADS 128
#define TILE 256 // elements of x

#if defined(TANDEM_VERSION_BASELINE)

// Software buffering: the threads copy a tile between two barriers.
extern "C" __global__ void __launch_bounds__(THREADS)
  sgemv(unsigned m, unsigned n, const float *a, const float *x, float *y) {
  __shared__ float buff[TILE];
  unsigned row = blockIdx.x * THREADS + threadIdx.x;
  float sum = 0.f;
  a += row;
  for (unsigned k = 0; k < n; k += TILE) {
    unsigned count = min(n - k, (unsigned)TILE);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += THREADS) buff[i] = x[k + i];
    __syncthreads();
    if (row < m)
      for (unsigned j = 0; j < count; j++, a += m) sum = fmaf(*a, buff[j], sum);
  }
  if (row < m) y[row] = sum;
}

#elif defined(TANDEM_VERSION_D2MA)

// Figure 8: the first transfer starts with its configuration, and the loop's first shared load
// waits for it; no barrier. Threads beyond the last row stay: every warp takes part in each DMA
// operation.
extern "C" __global__ void __launch_bounds__(THREADS)
  sgemv(unsigned m, unsigned n, const float *a, const float *x, float *y) {
  __shared__ float buff[TILE];
  dma_set_datatype_float();
  dma_configure_flat_unit_stride(buff, x, min(n, (unsigned)TILE));
  unsigned row = blockIdx.x * THREADS + threadIdx.x;
  float sum = 0.f;
  a += row;
  for (unsigned k = 0;;) {
    unsigned count = min(n - k, (unsigned)TILE);
    if (row < m)
      for (unsigned j = 0; j < count; j++, a += m) sum = fmaf(*a, buff[j], sum);
    k += count;
    if (k >= n) break;
    if (n - k >= TILE) dma_execute(buff, x + k, 0);
    else dma_configure_flat_unit_stride(buff, x + k, n - k);
  }
  if (row < m) y[row] = sum;
}

#else
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_D2MA"
#endif
