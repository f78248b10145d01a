// SPDX-License-Identifier: Apache-2.0
// The cheapest path through a grid of costs, row by row: dst[c] = wall[r][c] + min(src[c - 1], src[c],
// src[c + 1]), the dynamic programming of Rodinia's pathfinder (Che 2009). A launch computes up to
// `steps` rows: a CTA of 256 threads takes in a halo of `steps` columns either side, which it shrinks by
// one a row, so that CTAs exchange results between launches only.
#include "tandem_device.h"

#define THREADS 256
#define FAR 0x3fffffff // beyond the grid; no path is that long

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

// wall: the `steps` rows of this launch
extern "C" __global__ void __launch_bounds__(THREADS)
  pathfinder(unsigned steps, unsigned columns, const int *wall, const int *src, int *dst) {
  __shared__ int row[2][THREADS];
  int t = (int)threadIdx.x, halo = (int)steps;
  int column = (int)blockIdx.x * (THREADS - 2 * halo) - halo + t;
  bool inside = column >= 0 && column < (int)columns;
  int cost = inside ? src[column] : FAR;
  row[0][t] = cost;
  for (int i = 0; i < (int)steps; i++) {
    __syncthreads();
    bool known = inside && t > i && t < THREADS - 1 - i;
    if (known) {
      const int *last = &row[i & 1][t];
      cost = wall[(size_t)i * columns + column] + min(last[0], min(last[-1], last[1]));
    }
    row[i + 1 & 1][t] = cost;
  }
  if (inside && t >= halo && t < THREADS - halo) dst[column] = cost;
}
