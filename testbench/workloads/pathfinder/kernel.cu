// SPDX-License-Identifier: Apache-2.0
// The cheapest path through a grid of costs, row by row: dst[c] = wall[r][c] + min(src[c - 1], src[c],
// src[c + 1]), the dynamic programming of Rodinia's pathfinder (Che 2009). A launch computes up to
// `steps` rows: a CTA of 256 threads takes in a halo of `steps` columns either side, which it shrinks by
// one a row, so that CTAs exchange results between launches only. Version plain computes a row a launch
// straight from global memory.
#include "ldesc.h"
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"
#include "descriptors.h"

#define THREADS 256

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(PATHFINDER_ATOMS)
#elif defined(TANDEM_VERSION_LDESC)
LDESC_TABLE(PATHFINDER_DESCRIPTORS)
#elif !defined(TANDEM_VERSION_BASELINE) && !defined(TANDEM_VERSION_D2MA) && !defined(TANDEM_VERSION_PLAIN)
#error "define TANDEM_VERSION_BASELINE, _D2MA, _PLAIN, _XMEM or _LDESC"
#endif

#if defined(TANDEM_VERSION_PLAIN)

// wall: the row of this launch
extern "C" __global__ void __launch_bounds__(THREADS)
  pathfinder(unsigned columns, const int *wall, const int *src, int *dst) {
  unsigned column = blockIdx.x * THREADS + threadIdx.x;
  if (column >= columns) return;
  int best = src[column];
  if (column > 0) best = min(best, src[column - 1]);
  if (column + 1 < columns) best = min(best, src[column + 1]);
  dst[column] = wall[column] + best;
}

#else

// wall: the `steps` rows of this launch; src and dst: with room for THREADS numbers before and after them
extern "C" __global__ void __launch_bounds__(THREADS)
  pathfinder(unsigned steps, unsigned columns, const int *wall, const int *src, int *dst) {
  __shared__ int row[2][THREADS];
  int t = (int)threadIdx.x, halo = (int)steps;
  int column = (int)blockIdx.x * (THREADS - 2 * halo) - halo + t;
  bool inside = column >= 0 && column < (int)columns;
  int left = column > 0 ? t - 1 : t, right = column + 1 < (int)columns ? t + 1 : t; // beyond the grid: itself
#if defined(TANDEM_VERSION_D2MA)
  dma_set_datatype_int();
  dma_configure_flat_unit_stride(row[0], src + (column - t), THREADS); // what lies beyond the grid is not used
  int cost = row[0][t];
#else
  int cost = inside ? src[column] : 0;
  row[0][t] = cost;
  __syncthreads();
#endif
  for (int i = 0; i < (int)steps; i++) {
    bool known = inside && t > i && t < THREADS - 1 - i;
    if (known) {
      const int *last = row[i & 1];
      cost = wall[(size_t)i * columns + column] + min(last[t], min(last[left], last[right]));
    }
    row[i + 1 & 1][t] = cost;
    __syncthreads();
  }
  if (inside && t >= halo && t < THREADS - halo) dst[column] = cost;
}

#endif
