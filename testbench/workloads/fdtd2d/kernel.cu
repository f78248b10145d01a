// SPDX-License-Identifier: Apache-2.0
// Maxwell's equations in two dimensions by finite differences in time: Polybench's fdtd-2d, all steps of a block of rows that
// L2 keeps before the next block. A step is two launches: the electric fields, then the magnetic one, a row higher up.
#include "tandem_device.h"

#include "../tiled_steps.h"
#include "atoms.h"

#if !defined(TANDEM_VERSION_BASELINE) && !defined(TANDEM_VERSION_XMEM)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

XMEM_ATOM_TABLE(FDTD2D_ATOMS)

// `count` rows of a column, STEPS_ROWS if ALL; fields begin at the first. Row 0 of ey is the source.
template <bool ALL>
static __device__ __forceinline__ void electric(bool top, bool left, float source, unsigned pitch, unsigned count,
                                                float *ex, float *ey, const float *hz) {
  float h[STEPS_ROWS + 1], west[STEPS_ROWS], x[STEPS_ROWS], y[STEPS_ROWS];
  h[0] = top ? 0.f : *(hz - pitch);
#pragma unroll
  for (unsigned r = 0; r < STEPS_ROWS; r++)
    if (ALL || r < count) {
      h[r + 1] = hz[(size_t)r * pitch];
      y[r] = ey[(size_t)r * pitch];
      if (left) continue;
      west[r] = hz[(size_t)r * pitch - 1];
      x[r] = ex[(size_t)r * pitch];
    }
#pragma unroll
  for (unsigned r = 0; r < STEPS_ROWS; r++)
    if (ALL || r < count) {
      ey[(size_t)r * pitch] = r == 0 && top ? source : fmaf(-0.5f, h[r + 1] - h[r], y[r]);
      if (!left) ex[(size_t)r * pitch] = fmaf(-0.5f, h[r + 1] - west[r], x[r]);
    }
}

static __device__ __forceinline__ void electric_rows(const steps_launch &l, float source, float *ex, float *ey,
                                                     float *hz) {
  unsigned column = blockIdx.x * STEPS_THREADS + threadIdx.x, row = l.first + blockIdx.y * STEPS_ROWS;
  if (column >= l.columns) return;
  size_t at = (size_t)row * l.pitch + column;
  if (row + STEPS_ROWS <= l.end)
    electric<true>(row == 0, column == 0, source, l.pitch, STEPS_ROWS, ex + at, ey + at, hz + at);
  else electric<false>(row == 0, column == 0, source, l.pitch, l.end - row, ex + at, ey + at, hz + at);
}

extern "C" __global__ void __launch_bounds__(STEPS_THREADS)
  electric(steps_launch l, float source, float *ex, float *ey, float *hz) {
  electric_rows(l, source, ex, ey, hz);
}

// The first half step of a block.
extern "C" __global__ void __launch_bounds__(STEPS_THREADS)
  electric_begin(steps_launch l, float source, float *ex, float *ey, float *hz) {
  tile_begins(FDTD2D_BLOCK, ex, l.pitch, l.tile, l.last);
  tile_begins(FDTD2D_BLOCK, ey, l.pitch, l.tile, l.last);
  tile_begins(FDTD2D_BLOCK, hz, l.pitch, l.tile, l.last);
  electric_rows(l, source, ex, ey, hz);
}

template <bool ALL>
static __device__ __forceinline__ void magnetic(unsigned pitch, unsigned count, const float *ex, const float *ey,
                                                float *hz) {
  float y[STEPS_ROWS + 1], west[STEPS_ROWS], east[STEPS_ROWS], h[STEPS_ROWS];
#pragma unroll
  for (unsigned r = 0; r < STEPS_ROWS + 1; r++)
    if (ALL || r < count + 1) {
      y[r] = ey[(size_t)r * pitch];
      if (r == STEPS_ROWS) continue;
      west[r] = ex[(size_t)r * pitch];
      east[r] = ex[(size_t)r * pitch + 1];
      h[r] = hz[(size_t)r * pitch];
    }
#pragma unroll
  for (unsigned r = 0; r < STEPS_ROWS; r++)
    if (ALL || r < count) hz[(size_t)r * pitch] = fmaf(-0.7f, east[r] - west[r] + y[r + 1] - y[r], h[r]);
}

extern "C" __global__ void __launch_bounds__(STEPS_THREADS)
  magnetic(steps_launch l, const float *ex, const float *ey, float *hz) {
  unsigned column = blockIdx.x * STEPS_THREADS + threadIdx.x, row = l.first + blockIdx.y * STEPS_ROWS;
  if (column + 1 >= l.columns) return;
  size_t at = (size_t)row * l.pitch + column;
  if (row + STEPS_ROWS <= l.end) magnetic<true>(l.pitch, STEPS_ROWS, ex + at, ey + at, hz + at);
  else magnetic<false>(l.pitch, l.end - row, ex + at, ey + at, hz + at);
}
