// SPDX-License-Identifier: Apache-2.0
// Means of five points, step by step, from one grid to the other: Polybench's jacobi-2d, all steps of a block of rows that
// L2 keeps before the next block. The rim stays.
#include "tandem_device.h"

#include "../tiled_steps.h"
#include "atoms.h"

#if !defined(TANDEM_VERSION_BASELINE) && !defined(TANDEM_VERSION_XMEM)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

XMEM_ATOM_TABLE(JACOBI2D_ATOMS)

// Of `count` rows of a column, STEPS_ROWS if ALL.
template <bool ALL>
static __device__ __forceinline__ void means(const float *from, float *to, unsigned pitch, unsigned count) {
  float x[STEPS_ROWS + 2], west[STEPS_ROWS], east[STEPS_ROWS];
  from -= pitch;
#pragma unroll
  for (unsigned r = 0; r < STEPS_ROWS + 2; r++, from += pitch)
    if (ALL || r < count + 2) {
      x[r] = *from;
      if (r > 0 && r <= STEPS_ROWS) west[r - 1] = from[-1], east[r - 1] = from[1];
    }
#pragma unroll
  for (unsigned r = 0; r < STEPS_ROWS; r++, to += pitch)
    if (ALL || r < count) *to = (x[r + 1] + west[r] + east[r] + x[r + 2] + x[r]) * 0.2f;
}

static __device__ __forceinline__ void rows(const steps_launch &l, const float *from, float *to) {
  unsigned column = blockIdx.x * STEPS_THREADS + threadIdx.x, row = l.first + blockIdx.y * STEPS_ROWS;
  if (column == 0 || column + 1 >= l.columns) return;
  size_t at = (size_t)row * l.pitch + column;
  if (row + STEPS_ROWS <= l.end) means<true>(from + at, to + at, l.pitch, STEPS_ROWS);
  else means<false>(from + at, to + at, l.pitch, l.end - row);
}

extern "C" __global__ void __launch_bounds__(STEPS_THREADS) jacobi2d(steps_launch l, const float *from, float *to) {
  rows(l, from, to);
}

// The first step of a block.
extern "C" __global__ void __launch_bounds__(STEPS_THREADS)
  jacobi2d_begin(steps_launch l, const float *from, float *to) {
  tile_begins(JACOBI2D_BLOCK, from, l.pitch, l.tile, l.last);
  tile_begins(JACOBI2D_BLOCK, to, l.pitch, l.tile, l.last);
  rows(l, from, to);
}
