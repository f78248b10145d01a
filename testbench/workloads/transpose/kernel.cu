// SPDX-License-Identifier: Apache-2.0
// B = A^T, A of `rows` x `columns`, both stored by rows: the transposes of the NVIDIA SDK (Ruetsch,
// Micikevicius, "Optimizing Matrix Transpose in CUDA", 2009). Two tile sizes: 16 x 16 with an element
// a thread, 32 x 32 with four. CTAs take tiles row by row or, `diagonal`, along wrapped diagonals.
#include "ldesc.h"
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"
#include "descriptors.h"

#if defined(TANDEM_VERSION_XMEM) // the kernel of `padded`, labelled
XMEM_ATOM_TABLE(TRANSPOSE_ATOMS)
#elif defined(TANDEM_VERSION_LDESC) // the same kernel
LDESC_TABLE(TRANSPOSE_DESCRIPTORS)
#endif

#if defined(TANDEM_VERSION_BASELINE)
#define PAD 0 // the columns of a tile lie in one bank each, or in few
#elif defined(TANDEM_VERSION_PADDED) || defined(TANDEM_VERSION_XMEM) || defined(TANDEM_VERSION_LDESC)
#define PAD 1
#elif defined(TANDEM_VERSION_IN_ORDER)
#define PAD GAP
#elif !defined(TANDEM_VERSION_D2MA) && !defined(TANDEM_VERSION_NAIVE)
#error "define TANDEM_VERSION_BASELINE, _PADDED, _IN_ORDER, _D2MA, _NAIVE, _XMEM or _LDESC"
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

// GAP, of D2MA and in_order: 1 as in version padded, 0 as in baseline. D2MA leaves so many words free after every 32 (its
// bank mode).
template <unsigned TILE, unsigned STEP, unsigned GAP>
static __device__ __forceinline__ void transpose(unsigned rows, unsigned columns, unsigned diagonal, const float *a,
                                                 float *b) {
  unsigned tile_x, tile_y;
  tile_of_cta(diagonal, &tile_x, &tile_y);
  unsigned column = tile_x * TILE + threadIdx.x, row = tile_y * TILE + threadIdx.y;
#if defined(TANDEM_VERSION_NAIVE)
  for (unsigned i = 0; i < TILE; i += STEP)
    if (row + i < rows && column < columns)
      b[(size_t)column * rows + row + i] = a[(size_t)(row + i) * columns + column];
#elif defined(TANDEM_VERSION_D2MA)
  // One transfer of whole rows of the tile; where A ends inside it, what comes after is not used.
  __shared__ float tile[TILE * TILE + GAP * TILE * TILE / 32];
  row = tile_y * TILE;
  dma_set_datatype_float();
  if (GAP) dma_set_bank_conflict(GAP);
  dma_configure_2d(tile, a + (size_t)row * columns + tile_x * TILE, TILE, min(rows - row, TILE), columns);
  column = row + threadIdx.x, row = tile_x * TILE + threadIdx.y; // of B
  const float *mine = tile + threadIdx.x * TILE + GAP * (threadIdx.x * TILE / 32) + threadIdx.y;
  for (unsigned i = 0; i < TILE; i += STEP)
    if (row + i < columns && column < rows) b[(size_t)(row + i) * rows + column] = mine[i];
#else
  __shared__ float tile[TILE][TILE + PAD];
#if defined(TANDEM_VERSION_IN_ORDER) // as in the SDK's source
  for (unsigned i = 0; i < TILE; i += STEP)
    if (row + i < rows && column < columns)
      tile[threadIdx.y + i][threadIdx.x] = a[(size_t)(row + i) * columns + column];
#else
  float mine[TILE / STEP]; // all are asked for before the first is stored
  for (unsigned i = 0; i < TILE; i += STEP)
    if (row + i < rows && column < columns) mine[i / STEP] = a[(size_t)(row + i) * columns + column];
  for (unsigned i = 0; i < TILE; i += STEP) tile[threadIdx.y + i][threadIdx.x] = mine[i / STEP];
#endif
  __syncthreads();
  column = tile_y * TILE + threadIdx.x, row = tile_x * TILE + threadIdx.y; // of B
  for (unsigned i = 0; i < TILE; i += STEP)
    if (row + i < columns && column < rows) b[(size_t)(row + i) * rows + column] = tile[threadIdx.x][threadIdx.y + i];
#endif
}

#define KERNEL(name, TILE, STEP, GAP)                                                    \
  extern "C" __global__ void __launch_bounds__(256)                                      \
    name(unsigned rows, unsigned columns, unsigned diagonal, const float *a, float *b) { \
    transpose<TILE, STEP, GAP>(rows, columns, diagonal, a, b);                           \
  }
KERNEL(transpose16, 16, 16, 0)
KERNEL(transpose32, 32, 8, 0)
#if defined(TANDEM_VERSION_D2MA) || defined(TANDEM_VERSION_IN_ORDER)
KERNEL(transpose16_gap, 16, 16, 1)
KERNEL(transpose32_gap, 32, 8, 1)
#endif
