// SPDX-License-Identifier: Apache-2.0
// Convolution by a filter of 17 x 17 that is the product of a row and a column: rows, then columns. convolutionSeparable of the NVIDIA
// SDK (Podlozhnyuk 2007), with its CTAs: 16 x 4 threads stage 160 x 4 elements and compute 128 x 4 of them, 16 x 8 threads stage
// 16 x 80 and compute 16 x 64. What lies beyond the image is zero.
#include "tandem_device.h"

#include "filter.h"

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

__constant__ float separable_filter[TAPS];

extern "C" __global__ void __launch_bounds__(ROWS_X *ROWS_Y)
  separable_rows(unsigned columns, const float *in, float *out) {
  __shared__ float tile[ROWS_Y][(STEPS + 2) * ROWS_X];
  unsigned x = threadIdx.x, y = threadIdx.y;
  int left = (int)(blockIdx.x * STEPS * ROWS_X) - ROWS_X; // of the tile
  size_t row = (size_t)(blockIdx.y * ROWS_Y + y) * columns;
#pragma unroll
  for (unsigned i = 0; i < STEPS + 2; i++) {
    int column = left + (int)(i * ROWS_X + x);
    tile[y][i * ROWS_X + x] = column >= 0 && column < (int)columns ? in[row + (unsigned)column] : 0;
  }
  __syncthreads();
#pragma unroll
  for (unsigned i = 1; i <= STEPS; i++) {
    float sum = 0;
#pragma unroll
    for (unsigned k = 0; k < TAPS; k++)
      sum = fmaf(separable_filter[TAPS - 1 - k], tile[y][i * ROWS_X + x + k - RADIUS], sum);
    out[row + (unsigned)(left + (int)(i * ROWS_X + x))] = sum;
  }
}

extern "C" __global__ void __launch_bounds__(COLUMNS_X *COLUMNS_Y)
  separable_columns(unsigned rows, unsigned columns, const float *in, float *out) {
  __shared__ float tile[COLUMNS_X][(STEPS + 2) * COLUMNS_Y + 1]; // a column after the other
  unsigned x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * COLUMNS_X + x;
  int top = (int)(blockIdx.y * STEPS * COLUMNS_Y) - COLUMNS_Y;
#pragma unroll
  for (unsigned i = 0; i < STEPS + 2; i++) {
    int row = top + (int)(i * COLUMNS_Y + y);
    tile[x][i * COLUMNS_Y + y] = row >= 0 && row < (int)rows ? in[(size_t)row * columns + column] : 0;
  }
  __syncthreads();
#pragma unroll
  for (unsigned i = 1; i <= STEPS; i++) {
    float sum = 0;
#pragma unroll
    for (unsigned k = 0; k < TAPS; k++)
      sum = fmaf(separable_filter[TAPS - 1 - k], tile[x][i * COLUMNS_Y + y + k - RADIUS], sum);
    out[(size_t)(top + (int)(i * COLUMNS_Y + y)) * columns + column] = sum;
  }
}
