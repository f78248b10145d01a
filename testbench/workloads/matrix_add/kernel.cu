// SPDX-License-Identifier: Apache-2.0
// C = A + B, matrices of `rows` x `columns` stored by rows, one element a thread in CTAs of 16 x 16:
// the two-dimensional example of the CUDA C Programming Guide (2.2, thread hierarchy). Version hand stages
// both tiles in shared memory first.
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#define SIDE 16

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(MATRIX_ADD_ATOMS)
#elif !defined(TANDEM_VERSION_BASELINE) && !defined(TANDEM_VERSION_HAND)
#error "define TANDEM_VERSION_BASELINE, _HAND or _XMEM"
#endif

#if defined(TANDEM_VERSION_HAND)

extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  matrix_add(unsigned rows, unsigned columns, const float *a, const float *b, float *c) {
  __shared__ float tile_a[SIDE][SIDE], tile_b[SIDE][SIDE];
  unsigned x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * SIDE + x, row = blockIdx.y * SIDE + y;
  bool inside = row < rows && column < columns;
  size_t i = (size_t)row * columns + column;
  if (inside) {
    tile_a[y][x] = a[i];
    tile_b[y][x] = b[i];
  }
  __syncthreads();
  if (inside) c[i] = tile_a[y][x] + tile_b[y][x];
}

#else

extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  matrix_add(unsigned rows, unsigned columns, const float *a, const float *b, float *c) {
  unsigned column = blockIdx.x * SIDE + threadIdx.x, row = blockIdx.y * SIDE + threadIdx.y;
  if (row >= rows || column >= columns) return;
  size_t i = (size_t)row * columns + column;
  c[i] = a[i] + b[i];
}

#endif
