// SPDX-License-Identifier: Apache-2.0
// A step of the lattice Boltzmann method in two dimensions on a torus, a thread a cell: a density for each of nine ways, in
// planes one after the other, comes from the neighbour that lies the other way, relaxes, and goes to the other copy of
// the lattice. Eighteen streams (lbm of SPEC CPU2006 and Parboil, there in three dimensions).
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"
#include "lbm_cell.h"

#define THREADS 128

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(LBM_ATOMS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
  lbm(unsigned columns, unsigned rows, float omega, const float *src, float *dst) {
  unsigned x = blockIdx.x * THREADS + threadIdx.x, y = blockIdx.y;
  if (x >= columns) return;
  unsigned west = x == 0 ? columns - 1 : x - 1, east = x + 1 == columns ? 0 : x + 1;
  unsigned south = y == 0 ? rows - 1 : y - 1, north = y + 1 == rows ? 0 : y + 1;
  size_t cells = (size_t)columns * rows;
  float f[LBM_WAYS];
#pragma unroll
  for (int way = 0; way < LBM_WAYS; way++) {
    unsigned from_x = LBM_X(way) > 0 ? west : LBM_X(way) < 0 ? east : x;
    unsigned from_y = LBM_Y(way) > 0 ? south : LBM_Y(way) < 0 ? north : y;
    f[way] = src[(size_t)way * cells + (size_t)from_y * columns + from_x];
  }
  lbm_cell(omega, f);
#pragma unroll
  for (int way = 0; way < LBM_WAYS; way++) dst[(size_t)way * cells + (size_t)y * columns + x] = f[way];
}
