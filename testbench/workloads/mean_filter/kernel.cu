// SPDX-License-Identifier: Apache-2.0
// Mean of the (2 radius + 1)^2 neighbours of every pixel of a float image, zero beyond its border:
// the box filter of the NVIDIA SDK as one pass over tiles with halos. CTAs of 16 x 16.
#include "tandem_device.h"
#include "xmem.h"

#include "../filter_tile.h"
#include "atoms.h"

#if defined(TANDEM_VERSION_XMEM) // the kernel of `baseline`, labelled
XMEM_ATOM_TABLE(MEAN_FILTER_ATOMS)
#endif

#if defined(TANDEM_VERSION_BASELINE) || defined(TANDEM_VERSION_BORDERS) || defined(TANDEM_VERSION_D2MA) || \
  defined(TANDEM_VERSION_XMEM)

#define RADIUS 8 // at most

// MOST: the radius if it is known, or the largest.
template <int MOST>
static __device__ __forceinline__ void filter(int rows, int columns, int radius, float scale, const float *in,
                                              float *out) {
  __shared__ float tile[LINE(MOST) * LINE(MOST)];
  int pitch = buffer_tile(rows, columns, radius, in, tile);
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * SIDE + y, column = blockIdx.x * SIDE + x;
  if (row >= rows || column >= columns) return;
  float sum = 0.f;
  for (int r = 0; r <= 2 * radius; r++)
    for (int c = 0; c <= 2 * radius; c++) sum += tile[(y + r) * pitch + x + c];
  out[(size_t)row * columns + column] = sum * scale;
}

extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  mean_filter_1(int rows, int columns, int, float scale, const float *in, float *out) {
  filter<1>(rows, columns, 1, scale, in, out);
}
extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  mean_filter(int rows, int columns, int radius, float scale, const float *in, float *out) {
  filter<RADIUS>(rows, columns, radius, scale, in, out);
}

#elif defined(TANDEM_VERSION_NAIVE)

extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  mean_filter(int rows, int columns, int radius, float scale, const float *in, float *out) {
  int column = blockIdx.x * SIDE + threadIdx.x, row = blockIdx.y * SIDE + threadIdx.y;
  if (row >= rows || column >= columns) return;
  float sum = 0.f;
  for (int r = max(row - radius, 0); r <= min(row + radius, rows - 1); r++)
    for (int c = max(column - radius, 0); c <= min(column + radius, columns - 1); c++)
      sum += in[(size_t)r * columns + c];
  out[(size_t)row * columns + column] = sum * scale;
}

#else
#error "define TANDEM_VERSION_BASELINE, _BORDERS, _D2MA, _NAIVE or _XMEM"
#endif
