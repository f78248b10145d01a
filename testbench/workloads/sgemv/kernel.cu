// SPDX-License-Identifier: Apache-2.0
// y = A x, A column by column (m rows, n columns), one thread a row; the vector x passes through
// shared memory, tile after tile (Jamshidi 2014, figure 8 and 5.4; kernel after CudaDMA).
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#define THREADS 128

#if defined(TANDEM_VERSION_XMEM) // the kernel of `baseline`, labelled
XMEM_ATOM_TABLE(SGEMV_ATOMS)
#endif

// TILE: elements of x that a buffer takes. AHEAD: elements of A that are asked for before the first is used; 1 is the order of
// figure 8 and of CudaDMA's source.

// What `count` columns add to a row's sum; `a`: its element in the first of them.
template <unsigned AHEAD>
static __device__ __forceinline__ float add_tile(float sum, const float *a, unsigned m, const float *buff,
                                                 unsigned count) {
  unsigned j = 0;
  for (; j + 8 <= count; j += 8) {
    if (AHEAD == 1) {
#pragma unroll
      for (unsigned i = 0; i < 8; i++) sum = fmaf(a[(size_t)(j + i) * m], buff[j + i], sum);
    } else {
      float of_a[8];
#pragma unroll
      for (unsigned i = 0; i < 8; i++) of_a[i] = a[(size_t)(j + i) * m];
#pragma unroll
      for (unsigned i = 0; i < 8; i++) sum = fmaf(of_a[i], buff[j + i], sum);
    }
  }
  for (; j < count; j++) sum = fmaf(a[(size_t)j * m], buff[j], sum);
  return sum;
}

#if defined(TANDEM_VERSION_BASELINE) || defined(TANDEM_VERSION_XMEM)

#define LAUNCHED THREADS

// Software buffering: the threads copy a tile between two barriers.
template <unsigned TILE, unsigned AHEAD>
static __device__ __forceinline__ void product(unsigned m, unsigned n, const float *a, const float *x, float *y) {
  __shared__ float buff[TILE];
  unsigned row = blockIdx.x * THREADS + threadIdx.x;
  float sum = 0.f;
  a += row;
  for (unsigned k = 0; k < n; k += TILE) {
    unsigned count = min(n - k, (unsigned)TILE);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += THREADS) buff[i] = x[k + i];
    __syncthreads();
    if (row < m) sum = add_tile<AHEAD>(sum, a + (size_t)k * m, m, buff, count);
  }
  if (row < m) y[row] = sum;
}

#elif defined(TANDEM_VERSION_D2MA)

// Figure 8: the first transfer starts with its configuration, and the loop's first shared load
// waits for it; no barrier. Threads beyond the last row stay: every warp takes part in each DMA
// operation.
#define LAUNCHED THREADS

template <unsigned TILE, unsigned AHEAD>
static __device__ __forceinline__ void product(unsigned m, unsigned n, const float *a, const float *x, float *y) {
  __shared__ float buff[TILE];
  dma_set_datatype_float();
  dma_configure_flat_unit_stride(buff, x, min(n, (unsigned)TILE));
  unsigned row = blockIdx.x * THREADS + threadIdx.x;
  float sum = 0.f;
  a += row;
  for (unsigned k = 0;;) {
    unsigned count = min(n - k, (unsigned)TILE);
    if (row < m) sum = add_tile<AHEAD>(sum, a + (size_t)k * m, m, buff, count);
    k += count;
    if (k >= n) break;
    if (n - k >= TILE) dma_execute(buff, x + k, 0);
    else dma_configure_flat_unit_stride(buff, x + k, n - k);
  }
  if (row < m) y[row] = sum;
}

#elif defined(TANDEM_VERSION_CUDADMA)

// Warps that compute and a warp that copies (CudaDMA, Bauer 2011), one buffer as in the other versions. They meet at
// two named barriers of all their threads: each side waits at one and only arrives at the other.
#define LOADERS 32
#define EMPTY 1
#define FULL 2
static __device__ __forceinline__ void wait_for(int barrier) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(THREADS + LOADERS) : "memory");
}
static __device__ __forceinline__ void arrive_at(int barrier) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(THREADS + LOADERS) : "memory");
}

#define LAUNCHED (THREADS + LOADERS)

template <unsigned TILE, unsigned AHEAD>
static __device__ __forceinline__ void product(unsigned m, unsigned n, const float *a, const float *x, float *y) {
  __shared__ float4 quads[TILE / 4];
  float *buff = (float *)quads;
  if (threadIdx.x >= THREADS) {
    unsigned t = threadIdx.x - THREADS;
    for (unsigned k = 0; k < n; k += TILE) {
      wait_for(EMPTY);
      if (n - k >= TILE) {
        const float4 *from = (const float4 *)(x + k);
        float4 first = from[t];
        if (TILE > 4 * LOADERS) {
          float4 second = from[t + LOADERS];
          quads[t] = first;
          quads[t + LOADERS] = second;
        } else {
          quads[t] = first;
        }
      } else {
        for (unsigned i = t; i < n - k; i += LOADERS) buff[i] = x[k + i];
      }
      arrive_at(FULL);
    }
    return;
  }
  arrive_at(EMPTY);
  unsigned row = blockIdx.x * THREADS + threadIdx.x;
  float sum = 0.f;
  a += row;
  for (unsigned k = 0; k < n; k += TILE) {
    unsigned count = min(n - k, (unsigned)TILE);
    wait_for(FULL);
    if (row < m) sum = add_tile<AHEAD>(sum, a + (size_t)k * m, m, buff, count);
    if (n - k > TILE) arrive_at(EMPTY);
  }
  if (row < m) y[row] = sum;
}

#else
#error "define TANDEM_VERSION_BASELINE, _D2MA, _CUDADMA or _XMEM"
#endif

#define KERNEL(name, TILE, AHEAD)                                            \
  extern "C" __global__ void __launch_bounds__(LAUNCHED)                     \
    name(unsigned m, unsigned n, const float *a, const float *x, float *y) { \
    product<TILE, AHEAD>(m, n, a, x, y);                                     \
  }
KERNEL(sgemv, 256, 8)
KERNEL(sgemv_in_order, 256, 1)
KERNEL(sgemv_128, 128, 8)
KERNEL(sgemv_128_in_order, 128, 1)
