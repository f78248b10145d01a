// SPDX-License-Identifier: Apache-2.0
// Jacobi's method for Poisson's equation on a rectangle, five points, the rim kept: x2 = (neighbours of x1 + f)
// / 4, and the largest change of every CTA, which the host waits for to become small. CTAs of 16 x 16 with a
// halo of one cell in shared memory.
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#define SIDE 16

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(JACOBI_ATOMS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

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
