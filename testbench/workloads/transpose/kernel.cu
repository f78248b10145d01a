// SPDX-License-Identifier: Apache-2.0
// B = A^T, A of `rows` x `columns`, both stored by rows: the transposes of the NVIDIA SDK (Ruetsch,
// Micikevicius, "Optimizing Matrix Transpose in CUDA", 2009). Two tile sizes: 16 x 16 with an element
// a thread, 32 x 32 with four. CTAs take tiles row by row or, `diagonal`, along wrapped diagonals.
#include "tandem_device.h"

#if defined(TANDEM_VERSION_BASELINE)
#define PAD 0 // the columns of a tile lie in one bank each, or in few
#elif defined(TANDEM_VERSION_PADDED)
#define PAD 1
#elif !defined(TANDEM_VERSION_NAIVE)
#error "define TANDEM_VERSION_BASELINE, TANDEM_VERSION_PADDED or TANDEM_VERSION_NAIVE"
#endif

// The tile (x, y) of this CTA. Diagonal: in a square grid y is the first index and x their sum
// modulo the width; in others the tiles are numbered first (section 6 of the paper).
static __device__ __forceinline__ void tile_of_cta(unsigned diagonal, unsigned *x, unsigned *y) {
  *x = blockIdx.x, *y = blockIdx.y;
  if (!diagonal) return;
  if (gridDim.x == gridDim.y) {
    *y = blockIdx.x;
    *x = (blockIdx.x + blockIdx.y) % gridDim.x;
  } else {
    unsigned number = blockIdx.x + gridDim.x * blockIdx.y;
    *y = number % gridDim.y;
    *x = (number / gridDim.y + *y) % gridDim.x;
  }
}

template <unsigned TILE, unsigned STEP>
static __device__ __forceinline__ void transpose(unsigned rows, unsigned columns, unsigned diagonal,
                                                 const float *a, float *b) {
  unsigned tile_x, tile_y;
  tile_of_cta(diagonal, &tile_x, &tile_y);
  unsigned column = tile_x * TILE + threadIdx.x, row = tile_y * TILE + threadIdx.y;
#if defined(TANDEM_VERSION_NAIVE)
  for (unsigned i = 0; i < TILE; i += STEP)
    if (row + i < rows && column < columns)
      b[(size_t)column * rows + row + i] = a[(size_t)(row + i) * columns + column];
#else
  __shared__ float tile[TILE][TILE + PAD];
  for (unsigned i = 0; i < TILE; i += STEP)
    if (row + i < rows && column < columns)
      tile[threadIdx.y + i][threadIdx.x] = a[(size_t)(row + i) * columns + column];
  __syncthreads();
  column = tile_y * TILE + threadIdx.x, row = tile_x * TILE + threadIdx.y; // of B
  for (unsigned i = 0; i < TILE; i += STEP)
    if (row + i < columns && column < rows)
      b[(size_t)(row + i) * rows + column] = tile[threadIdx.x][threadIdx.y + i];
#endif
}

extern "C" __global__ void __launch_bounds__(256)
  transpose16(unsigned rows, unsigned columns, unsigned diagonal, const float *a, float *b) {
  transpose<16, 16>(rows, columns, diagonal, a, b);
}

extern "C" __global__ void __launch_bounds__(256)
  transpose32(unsigned rows, unsigned columns, unsigned diagonal, const float *a, float *b) {
  transpose<32, 8>(rows, columns, diagonal, a, b);
}
