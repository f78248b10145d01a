// SPDX-License-Identifier: Apache-2.0
// Mean of the (2 radius + 1)^2 neighbours of every pixel of a float image, zero beyond its border:
// the box filter of the NVIDIA SDK as one pass over tiles with halos. CTAs of 16 x 16.
#include "tandem_device.h"

#define SIDE 16
#define RADIUS 8 // at most

#if defined(TANDEM_VERSION_BASELINE)

extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  mean_filter(int rows, int columns, int radius, float scale, const float *in, float *out) {
  __shared__ float tile[(SIDE + 2 * RADIUS) * (SIDE + 2 * RADIUS)];
  int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * SIDE, top = blockIdx.y * SIDE;
  int side = SIDE + 2 * radius;
  for (int r = y; r < side; r += SIDE)
    for (int c = x; c < side; c += SIDE) {
      int row = top + r - radius, column = left + c - radius;
      bool inside = row >= 0 && row < rows && column >= 0 && column < columns;
      tile[r * side + c] = inside ? in[(size_t)row * columns + column] : 0.f;
    }
  __syncthreads();
  if (top + y >= rows || left + x >= columns) return;
  float sum = 0.f;
  for (int r = 0; r <= 2 * radius; r++)
    for (int c = 0; c <= 2 * radius; c++) sum += tile[(y + r) * side + x + c];
  out[(size_t)(top + y) * columns + left + x] = sum * scale;
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
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_NAIVE"
#endif
