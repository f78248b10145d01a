/* SPDX-License-Identifier: Apache-2.0 */
/* sobel: compared with the two convolutions by 3 x 3 masks, byte by byte. */
#include <cuda.h>

#include "sobel_args.h"
#include "sobel_ptx.h"
#include "workload.h"

#include "filter_tile.h"

static int want_of(int rows, int columns, const uint8_t *in, int row, int column) {
  static const int mask[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
  int gx = 0, gy = 0;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) {
      int y = row + r - 1, x = column + c - 1;
      int pixel = y < 0 || y >= rows || x < 0 || x >= columns ? 0 : in[(size_t)y * (size_t)columns + (size_t)x];
      gx += mask[r][c] * pixel, gy += mask[c][r] * pixel;
    }
  int sum = abs(gx) + abs(gy);
  return sum > 255 ? 255 : sum;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("sobel", argc, argv);
  int rows = (int)workload_value(&w, "rows"), columns = (int)workload_value(&w, "columns");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t n = (size_t)rows * (size_t)columns;
  uint8_t *in = workload_alloc(&w, n), *out = workload_alloc(&w, n);
  for (size_t i = 0; i < n; i++) in[i] = workload_bits(seed, 1, i) & 63; /* not all sums beyond 255 */

  CUfunction kernel = workload_open(&w, "sobel");
  CUdeviceptr device_in = workload_upload(&w, in, n), device_out = workload_upload(&w, NULL, n);
  struct workload_shape block = {SIDE, SIDE, 1};
  struct workload_shape grid = {(unsigned)(columns - 1) / SIDE + 1, (unsigned)(rows - 1) / SIDE + 1, 1};
  workload_launch_shape(&w, kernel, grid, block, 0, (void *[]){&rows, &columns, &device_in, &device_out});
  workload_download(&w, out, device_out, n);

  struct workload_comparison comparison = {0};
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < columns; column++) {
      size_t i = (size_t)row * (size_t)columns + (size_t)column;
      workload_compare_whole(&comparison, i, out[i], want_of(rows, columns, in, row, column));
    }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "rows=%d columns=%d", rows, columns);
  workload_close(&w);
  free(in), free(out);
  return workload_verdict(&w, sizes, &comparison);
}
