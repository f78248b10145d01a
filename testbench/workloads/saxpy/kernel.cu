// SPDX-License-Identifier: Apache-2.0
// y = a x + y, the case study of Jamshidi 2014, 5.3 (kernel after CudaDMA): both vectors are
// buffered in shared memory, tile after tile; CTA b of G takes tiles b, b + G, ... .
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

// Threads of a CTA and elements of a tile: 128 and 512 (`saxpy`; both buffers of 8 CTAs take 32 of the 48 KB), or 256 and 256, an
// element per thread, as CudaDMA's saxpy_shmem (`saxpy_one`).
#define THREADS 128

#if defined(TANDEM_VERSION_XMEM) // the kernel of `plain`, labelled
XMEM_ATOM_TABLE(SAXPY_ATOMS)
#endif

#if defined(TANDEM_VERSION_PLAIN) || defined(TANDEM_VERSION_XMEM)

// One element a thread, no shared memory.
extern "C" __global__ void __launch_bounds__(THREADS) saxpy(unsigned n, float a, const float *x, float *y) {
  unsigned i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n) y[i] = fmaf(a, x[i], y[i]);
}

#elif defined(TANDEM_VERSION_BASELINE)

// Software buffering: the threads copy, a barrier, the threads compute, a barrier.
template <unsigned THREADS_OF, unsigned TILE>
static __device__ __forceinline__ void add(unsigned n, float a, const float *x, float *y) {
  __shared__ float tile_x[TILE], tile_y[TILE];
  for (unsigned base = blockIdx.x * TILE; base < n; base += gridDim.x * TILE) {
    unsigned count = min(n - base, TILE);
    for (unsigned i = threadIdx.x; i < count; i += THREADS_OF) tile_x[i] = x[base + i];
    for (unsigned i = threadIdx.x; i < count; i += THREADS_OF) tile_y[i] = y[base + i];
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += THREADS_OF) y[base + i] = fmaf(a, tile_x[i], tile_y[i]);
    __syncthreads();
  }
}

#elif defined(TANDEM_VERSION_D2MA)

// Two of the CTA's DMA buffers and no barrier: a warp that needs a tile still in flight waits by
// itself, and a tile is replaced when every warp has asked for the next one. The ragged last tile
// is configured anew.
template <unsigned THREADS_OF, unsigned TILE>
static __device__ __forceinline__ void add(unsigned n, float a, const float *x, float *y) {
  __shared__ float tile_x[TILE], tile_y[TILE];
  unsigned base = blockIdx.x * TILE, step = gridDim.x * TILE;
  if (base >= n) return;
  unsigned count = min(n - base, TILE);
  dma_set_datatype_float(0);
  dma_configure_flat_unit_stride(tile_x, x + base, count, 0);
  dma_set_datatype_float(1);
  dma_configure_flat_unit_stride(tile_y, y + base, count, 1);
  for (;;) {
    for (unsigned i = threadIdx.x; i < count; i += THREADS_OF) y[base + i] = fmaf(a, tile_x[i], tile_y[i]);
    if (n - base <= step) return;
    base += step;
    count = min(n - base, TILE);
    if (count == TILE) {
      dma_execute(tile_x, x + base, 0);
      dma_execute(tile_y, y + base, 1);
    } else {
      dma_configure_flat_unit_stride(tile_x, x + base, count, 0);
      dma_configure_flat_unit_stride(tile_y, y + base, count, 1);
    }
  }
}

#else
#error "define TANDEM_VERSION_BASELINE, _D2MA, _PLAIN or _XMEM"
#endif

#if !defined(TANDEM_VERSION_PLAIN) && !defined(TANDEM_VERSION_XMEM)
#define KERNEL(name, THREADS_OF, TILE)                                                                           \
  extern "C" __global__ void __launch_bounds__(THREADS_OF) name(unsigned n, float a, const float *x, float *y) { \
    add<THREADS_OF, TILE>(n, a, x, y);                                                                           \
  }
KERNEL(saxpy, THREADS, 512)
KERNEL(saxpy_one, 256, 256)
#endif
