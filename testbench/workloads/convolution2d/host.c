/* SPDX-License-Identifier: Apache-2.0 */
/* convolution2d: sums of nine products, compared bit for bit with the same products in the same order, each added with one
 * rounding. The rim stays zero. */
#include <cuda.h>

#include "convolution2d_args.h"
#include "convolution2d_ptx.h"
#include "descriptors.h"
#include "workload.h"
#include "workload_ldesc.h"

LDESC_IDS(CONVOLUTION2D_DESCRIPTORS);

enum { WIDE = 32, HIGH = 8 }; /* as in kernel.cu */

static const float weight[3][3] = {{0.2f, -0.3f, 0.4f}, {0.5f, 0.6f, 0.7f}, {-0.8f, -0.9f, 0.1f}};

static float expected(unsigned rows, unsigned columns, const float *in, unsigned row, unsigned column) {
  float sum = 0;
  if (row == 0 || column == 0 || row == rows - 1 || column == columns - 1) return 0;
  for (unsigned i = 0; i < 9; i++) {
    float x = in[(size_t)(row + i / 3 - 1) * columns + column + i % 3 - 1];
    sum = i ? fmaf(weight[i / 3][i % 3], x, sum) : weight[0][0] * x;
  }
  return sum;
}

static void describe(const struct workload *w, struct workload_shape grid, CUdeviceptr in, CUdeviceptr out) {
  struct ldesc l = workload_ldesc(w);
  unsigned rows = (unsigned)workload_value(w, "rows"), columns = (unsigned)workload_value(w, "columns");
  size_t bytes = (size_t)rows * columns * sizeof(float);
  struct workload_shape all = {columns, rows, 1}, row = {columns, HIGH, 1}, along = {grid.x, 1, 1};
  struct workload_shape block = {WIDE, HIGH, 1}, one = {1, 1, 1};
  workload_describe(w, &l, CONVOLUTION2D_LDESC_IN, in, bytes, workload_tile(all, row, along), columns * 4);
  workload_describe(w, &l, CONVOLUTION2D_LDESC_OUT, out, bytes, workload_tile(all, block, one), 0);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("convolution2d", argc, argv);
  unsigned rows = (unsigned)workload_value(&w, "rows"), columns = (unsigned)workload_value(&w, "columns");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t n = (size_t)rows * columns, bytes = n * sizeof(float);
  float *in = workload_alloc(&w, bytes), *out = workload_alloc(&w, bytes);
  for (size_t i = 0; i < n; i++) in[i] = workload_input(seed, 1, i);

  CUfunction kernel = workload_open(&w, "convolution2d");
  CUdeviceptr device_in = workload_upload(&w, in, bytes), device_out = workload_upload(&w, out, bytes);
  struct workload_shape grid = {(columns - 1) / WIDE + 1, (rows - 1) / HIGH + 1, 1};
  describe(&w, grid, device_in, device_out);
  workload_launch_shape(&w, kernel, grid, (struct workload_shape){WIDE, HIGH, 1}, 0,
                        (void *[]){&rows, &columns, &device_in, &device_out});
  workload_download(&w, out, device_out, bytes);

  struct workload_comparison comparison = {0};
  for (unsigned row = 0; row < rows; row++)
    for (unsigned column = 0; column < columns; column++) {
      size_t i = (size_t)row * columns + column;
      workload_compare(&comparison, i, out[i], expected(rows, columns, in, row, column), 0);
    }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "rows=%u columns=%u", rows, columns);
  workload_close(&w);
  free(in), free(out);
  return workload_verdict(&w, sizes, &comparison);
}
