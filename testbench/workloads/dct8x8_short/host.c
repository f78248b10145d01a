/* SPDX-License-Identifier: Apache-2.0 */
/* dct8x8_short: compared with products by the matrix of rounded cosines, each sum rounded once, number
 * by number. */
#include <cuda.h>

#include "dct8x8_short_args.h"
#include "dct8x8_short_ptx.h"
#include "workload.h"

enum { BITS = 13, EXTRA = 2 }; /* as in kernel.cu */

/* One pass of a block: to[8 k + v] from the 8 samples from[8 v + ...]; two passes transpose twice. */
static void pass(const int basis[8][8], int inverse, int shift, const int *from, int *to) {
  for (int v = 0; v < 8; v++)
    for (int k = 0; k < 8; k++) {
      int sum = 1 << (shift - 1);
      for (int i = 0; i < 8; i++) sum += (inverse ? basis[i][k] : basis[k][i]) * from[8 * v + i];
      to[8 * k + v] = sum >> shift;
    }
}

static void want_image(unsigned rows, unsigned columns, int inverse, const int16_t *in, int *out) {
  int basis[8][8], block[64], half[64];
  for (int u = 0; u < 8; u++)
    for (int x = 0; x < 8; x++)
      basis[u][x] = (int)lrint((1 << BITS) * (u ? 0.5 : sqrt(0.125)) * cos((2 * x + 1) * u * M_PI / 16));
  for (size_t row = 0; row < rows; row += 8)
    for (size_t column = 0; column < columns; column += 8) {
      for (size_t i = 0; i < 64; i++) block[i] = in[(row + i / 8) * columns + column + i % 8];
      pass(basis, inverse, BITS - EXTRA, block, half);
      pass(basis, inverse, BITS + EXTRA, half, block);
      for (size_t i = 0; i < 64; i++) out[(row + i / 8) * columns + column + i % 8] = block[i];
    }
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("dct8x8_short", argc, argv);
  unsigned rows = (unsigned)workload_value(&w, "rows"), columns = (unsigned)workload_value(&w, "columns");
  int inverse = (int)workload_value(&w, "inverse");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  if (rows % 8 || columns % 8) workload_usage(&w, "rows=%u columns=%u: both are multiples of 8", rows, columns);
  size_t n = (size_t)rows * columns, bytes = n * sizeof(int16_t);
  int16_t *in = workload_alloc(&w, bytes), *out = workload_alloc(&w, bytes);
  int *want = workload_alloc(&w, n * sizeof(int));
  for (size_t i = 0; i < n; i++) in[i] = (int16_t)workload_whole(seed, 1, i, 8);

  CUfunction kernel = workload_open(&w, inverse ? "idct8x8_short" : "dct8x8_short");
  CUdeviceptr device_in = workload_upload(&w, in, bytes), device_out = workload_upload(&w, NULL, bytes);
  struct workload_shape grid = {(columns - 1) / 32 + 1, (rows - 1) / 32 + 1, 1}, block = {8, 4, 4};
  workload_launch_shape(&w, kernel, grid, block, 0, (void *[]){&rows, &columns, &device_in, &device_out});
  workload_download(&w, out, device_out, bytes);

  want_image(rows, columns, inverse, in, want);
  struct workload_comparison comparison = {0};
  for (size_t i = 0; i < n; i++) workload_compare_whole(&comparison, i, out[i], want[i]);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "rows=%u columns=%u inverse=%d", rows, columns, inverse);
  workload_close(&w);
  free(in), free(out), free(want);
  return workload_verdict(&w, sizes, &comparison);
}
