/* SPDX-License-Identifier: Apache-2.0 */
/* gauss_filter: compared with the two-dimensional sum in double precision. Pixels are within [-1, 1)
 * and the weights positive with a sum near 1, so that a float result of 2 (2 radius + 1) roundings
 * in a row is off by less than that many times 2^-24 each. */
#include <cuda.h>

#include "gauss_filter_args.h"
#include "gauss_filter_ptx.h"
#include "workload.h"

#include "filter_tile.h"

enum { RADIUS = 8, STEPS = 8, ROW_X = 16, ROW_Y = 4, COLUMN_X = 16, COLUMN_Y = 8 }; /* as in kernel.cu */

static double want_of(int rows, int columns, int radius, const float *weights, const float *in, int row, int column) {
  double sum = 0;
  for (int r = -radius; r <= radius; r++)
    for (int c = -radius; c <= radius; c++) {
      int y = row + r, x = column + c;
      if (y < 0 || y >= rows || x < 0 || x >= columns) continue;
      sum += (double)weights[r + radius] * weights[c + radius] * in[(size_t)y * (size_t)columns + (size_t)x];
    }
  return sum;
}

static unsigned parts(int length, int part) { return (unsigned)((length - 1) / part + 1); }

int main(int argc, char **argv) {
  struct workload w = workload_arguments("gauss_filter", argc, argv);
  int rows = (int)workload_value(&w, "rows"), columns = (int)workload_value(&w, "columns");
  int radius = (int)workload_value(&w, "radius"), separable = !strcmp(w.version, "separable");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  filter_check(&w, rows, columns, radius);
  size_t n = (size_t)rows * (size_t)columns, bytes = n * sizeof(float);
  float *in = workload_alloc(&w, bytes), *out = workload_alloc(&w, bytes), weights[2 * RADIUS + 1] = {0};
  double sum = 0, sigma = radius / 2.0;
  for (size_t i = 0; i < n; i++) in[i] = workload_input(seed, 1, i);
  for (int i = -radius; i <= radius; i++) sum += exp(-i * i / (2 * sigma * sigma));
  for (int i = -radius; i <= radius; i++) weights[i + radius] = (float)(exp(-i * i / (2 * sigma * sigma)) / sum);

  static const char *const names[] = {"gauss_filter", "gauss_filter_1", "gauss_filter_2"};
  CUfunction first = workload_open(&w, separable ? "gauss_rows" : names[radius <= 2 ? radius : 0]);
  CUdeviceptr device_weights, device_in = workload_upload(&w, in, bytes);
  CUdeviceptr device_rows = workload_upload(&w, NULL, bytes), device_out = workload_upload(&w, NULL, bytes);
  WORKLOAD_PREPARE(&w, cuModuleGetGlobal(&device_weights, NULL, w.module, "weights"));
  WORKLOAD_PREPARE(&w, cuMemcpyHtoD(device_weights, weights, sizeof weights));
  if (separable) {
    struct workload_shape grid = {parts(columns, STEPS * ROW_X), parts(rows, ROW_Y), 1}, block = {ROW_X, ROW_Y, 1};
    workload_launch_shape(&w, first, grid, block, 0, (void *[]){&rows, &columns, &radius, &device_in, &device_rows});
    grid = (struct workload_shape){parts(columns, COLUMN_X), parts(rows, STEPS * COLUMN_Y), 1};
    block = (struct workload_shape){COLUMN_X, COLUMN_Y, 1};
    workload_launch_shape(&w, workload_kernel(&w, "gauss_columns"), grid, block, 0,
                          (void *[]){&rows, &columns, &radius, &device_rows, &device_out});
  } else {
    struct workload_shape grid = {parts(columns, SIDE), parts(rows, SIDE), 1}, block = {SIDE, SIDE, 1};
    workload_launch_shape(&w, first, grid, block, 0, (void *[]){&rows, &columns, &radius, &device_in, &device_out});
  }
  workload_download(&w, out, device_out, bytes);

  struct workload_comparison comparison = {0};
  double tolerance = 2.0 * (2 * radius + 1) / (1 << 24);
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < columns; column++) {
      size_t i = (size_t)row * (size_t)columns + (size_t)column;
      double want = want_of(rows, columns, radius, weights, in, row, column);
      workload_compare(&comparison, i, out[i], (float)want, tolerance);
    }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "rows=%d columns=%d radius=%d", rows, columns, radius);
  workload_close(&w);
  free(in), free(out);
  return workload_verdict(&w, sizes, &comparison);
}
