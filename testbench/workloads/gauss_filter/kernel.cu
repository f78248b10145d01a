// SPDX-License-Identifier: Apache-2.0
// Gaussian filter of a float image, zero beyond its border; the weights of one dimension lie in
// constant memory (Podlozhnyuk, "Image Convolution with CUDA", 2007; NVIDIA SDK, convolutionSeparable).
#include "tandem_device.h"

#define RADIUS 8 // at most

__constant__ float weights[2 * RADIUS + 1];

#if defined(TANDEM_VERSION_BASELINE) || defined(TANDEM_VERSION_BORDERS) || defined(TANDEM_VERSION_D2MA)

// One pass over tiles with halos on all sides. MOST: the radius if it is known, or the largest.
#include "../filter_tile.h"
template <int MOST>
static __device__ __forceinline__ void filter(int rows, int columns, int radius, const float *in, float *out) {
  __shared__ float tile[LINE(MOST) * LINE(MOST)];
  int pitch = buffer_tile(rows, columns, radius, in, tile);
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * SIDE + y, column = blockIdx.x * SIDE + x;
  if (row >= rows || column >= columns) return;
  float sum = 0.f;
  for (int r = 0; r <= 2 * radius; r++) {
    float line = 0.f;
    for (int c = 0; c <= 2 * radius; c++) line = fmaf(weights[c], tile[(y + r) * pitch + x + c], line);
    sum = fmaf(weights[r], line, sum);
  }
  out[(size_t)row * columns + column] = sum;
}

extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  gauss_filter_1(int rows, int columns, int, const float *in, float *out) {
  filter<1>(rows, columns, 1, in, out);
}
extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  gauss_filter_2(int rows, int columns, int, const float *in, float *out) {
  filter<2>(rows, columns, 2, in, out);
}
extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  gauss_filter(int rows, int columns, int radius, const float *in, float *out) {
  filter<RADIUS>(rows, columns, radius, in, out);
}

#elif defined(TANDEM_VERSION_SEPARABLE)

// Two passes: rows by CTAs of 16 x 4 with 8 results a thread, columns by CTAs of 16 x 8 with 8; each
// tile has halos on two sides.
#define STEPS 8
#define ROW_X 16
#define ROW_Y 4
#define COLUMN_X 16
#define COLUMN_Y 8

extern "C" __global__ void __launch_bounds__(ROW_X *ROW_Y)
  gauss_rows(int rows, int columns, int radius, const float *in, float *out) {
  __shared__ float tile[ROW_Y][STEPS * ROW_X + 2 * RADIUS];
  int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * STEPS * ROW_X, row = blockIdx.y * ROW_Y + y;
  for (int c = x; c < STEPS * ROW_X + 2 * radius; c += ROW_X) {
    int column = left + c - radius;
    tile[y][c] = row < rows && column >= 0 && column < columns ? in[(size_t)row * columns + column] : 0.f;
  }
  __syncthreads();
  for (int i = x; i < STEPS * ROW_X; i += ROW_X) {
    if (row >= rows || left + i >= columns) continue;
    float sum = 0.f;
    for (int k = 0; k <= 2 * radius; k++) sum = fmaf(weights[k], tile[y][i + k], sum);
    out[(size_t)row * columns + left + i] = sum;
  }
}

extern "C" __global__ void __launch_bounds__(COLUMN_X *COLUMN_Y)
  gauss_columns(int rows, int columns, int radius, const float *in, float *out) {
  __shared__ float tile[STEPS * COLUMN_Y + 2 * RADIUS][COLUMN_X];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * COLUMN_X + x, top = blockIdx.y * STEPS * COLUMN_Y;
  for (int r = y; r < STEPS * COLUMN_Y + 2 * radius; r += COLUMN_Y) {
    int row = top + r - radius;
    tile[r][x] = column < columns && row >= 0 && row < rows ? in[(size_t)row * columns + column] : 0.f;
  }
  __syncthreads();
  for (int i = y; i < STEPS * COLUMN_Y; i += COLUMN_Y) {
    if (column >= columns || top + i >= rows) continue;
    float sum = 0.f;
    for (int k = 0; k <= 2 * radius; k++) sum = fmaf(weights[k], tile[i + k][x], sum);
    out[(size_t)(top + i) * columns + column] = sum;
  }
}

#else
#error "define TANDEM_VERSION_BASELINE, _BORDERS, _D2MA or _SEPARABLE"
#endif
