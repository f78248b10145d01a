// SPDX-License-Identifier: Apache-2.0
// Jacobi's method for Poisson's equation on a rectangle, five points, the rim kept: x2 = (neighbours of x1 + f)
// / 4, and the largest change of every CTA, which the host waits for to become small. CTAs of 16 x 16 with a
// halo of one cell in shared memory. Versions plain and hand smooth with nine points instead, as the Jacobi
// example of PGI's accelerator compilers does: x2 = w0 x1 + w1 (four sides) + w2 (four corners), and no change.
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#define SIDE 16
#define LINE (SIDE + 2) // of a tile with its halo

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(JACOBI_ATOMS)
#elif !defined(TANDEM_VERSION_BASELINE) && !defined(TANDEM_VERSION_PLAIN) && !defined(TANDEM_VERSION_HAND)
#error "define TANDEM_VERSION_BASELINE, _PLAIN, _HAND or _XMEM"
#endif

#if defined(TANDEM_VERSION_PLAIN)

// The grid covers what lies inside the rim, so that a CTA reads 18 x 18 cells.
extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  jacobi(unsigned rows, unsigned columns, float w0, float w1, float w2, const float *x1, float *x2) {
  unsigned column = blockIdx.x * SIDE + threadIdx.x + 1, row = blockIdx.y * SIDE + threadIdx.y + 1;
  if (row + 1 >= rows || column + 1 >= columns) return;
  size_t i = (size_t)row * columns + column;
  float sides = x1[i - columns] + x1[i - 1] + x1[i + 1] + x1[i + columns];
  float corners = x1[i - columns - 1] + x1[i - columns + 1] + x1[i + columns - 1] + x1[i + columns + 1];
  x2[i] = fmaf(w2, corners, fmaf(w1, sides, __fmul_rn(w0, x1[i])));
}

#elif defined(TANDEM_VERSION_HAND)

// The same with the 18 x 18 cells in shared memory; the threads load them as they come.
extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  jacobi(unsigned rows, unsigned columns, float w0, float w1, float w2, const float *x1, float *x2) {
  __shared__ float tile[LINE][LINE];
  unsigned x = threadIdx.x + 1, y = threadIdx.y + 1, left = blockIdx.x * SIDE, top = blockIdx.y * SIDE;
  for (unsigned i = threadIdx.y * SIDE + threadIdx.x; i < LINE * LINE; i += SIDE * SIDE) {
    unsigned row = top + i / LINE, column = left + i % LINE;
    if (row < rows && column < columns) tile[i / LINE][i % LINE] = x1[(size_t)row * columns + column];
  }
  __syncthreads();
  unsigned row = top + y, column = left + x;
  if (row + 1 >= rows || column + 1 >= columns) return;
  float sides = tile[y - 1][x] + tile[y][x - 1] + tile[y][x + 1] + tile[y + 1][x];
  float corners = tile[y - 1][x - 1] + tile[y - 1][x + 1] + tile[y + 1][x - 1] + tile[y + 1][x + 1];
  x2[(size_t)row * columns + column] = fmaf(w2, corners, fmaf(w1, sides, __fmul_rn(w0, tile[y][x])));
}

#else

// Changes are no negative numbers, so that their bits compare as unsigned numbers do.
extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  jacobi(unsigned rows, unsigned columns, const float *f, const float *x1, float *x2, unsigned *change) {
  __shared__ float tile[SIDE + 2][SIDE + 2];
  __shared__ unsigned largest;
  unsigned x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * SIDE + x, row = blockIdx.y * SIDE + y;
  bool inside = row < rows && column < columns;
  size_t i = (size_t)row * columns + column;
  if (x == 0 && y == 0) largest = 0;
  if (inside) {
    tile[y + 1][x + 1] = x1[i];
    if (y == 0 && row > 0) tile[0][x + 1] = x1[i - columns];
    if (y + 1 == SIDE && row + 1 < rows) tile[SIDE + 1][x + 1] = x1[i + columns];
    if (x == 0 && column > 0) tile[y + 1][0] = x1[i - 1];
    if (x + 1 == SIDE && column + 1 < columns) tile[y + 1][SIDE + 1] = x1[i + 1];
  }
  __syncthreads();
  if (inside) {
    float old = tile[y + 1][x + 1], value = old;
    if (row > 0 && row + 1 < rows && column > 0 && column + 1 < columns)
      value = (tile[y][x + 1] + tile[y + 2][x + 1] + (tile[y + 1][x] + tile[y + 1][x + 2]) + f[i]) * 0.25f;
    x2[i] = value;
    atomicMax(&largest, (unsigned)__float_as_int(fabsf(value - old)));
  }
  __syncthreads();
  if (x == 0 && y == 0) change[blockIdx.y * gridDim.x + blockIdx.x] = largest;
}

#endif
