/* SPDX-License-Identifier: Apache-2.0 */
/* steps: walks down the rows of a matrix; whole numbers, compared bit for bit. */
#include <cuda.h>

#include "steps_args.h"
#include "steps_ptx.h"
#include "workload.h"

enum { THREADS = 64 }; /* as in kernel.cu */

static unsigned walk(const unsigned *x, unsigned rows, unsigned columns, unsigned column, unsigned shuffled) {
  unsigned sum = 0, row = 0;
  for (unsigned k = 0; k < rows; k++) {
    row = shuffled ? (row + k) & (rows - 1) : k;
    sum = sum * 5 + x[(size_t)row * columns + column];
  }
  return sum;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("steps", argc, argv);
  unsigned rows = (unsigned)workload_value(&w, "rows"), ctas = (unsigned)workload_value(&w, "ctas");
  unsigned shuffled = (unsigned)workload_value(&w, "shuffled"), columns = ctas * THREADS;
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  if (rows & (rows - 1)) workload_usage(&w, "rows=%u is no power of two", rows);
  size_t n = (size_t)rows * columns;
  unsigned *x = workload_alloc(&w, n * sizeof *x), *y = workload_alloc(&w, columns * sizeof *y);
  for (size_t i = 0; i < n; i++) x[i] = (unsigned)workload_bits(seed, 1, i);

  CUfunction kernel = workload_open(&w, "steps");
  CUdeviceptr device_x = workload_upload(&w, x, n * sizeof *x),
              device_y = workload_upload(&w, NULL, columns * sizeof *y);
  workload_launch(&w, kernel, ctas, THREADS, (void *[]){&rows, &shuffled, &device_x, &device_y});
  workload_download(&w, y, device_y, columns * sizeof *y);

  struct workload_comparison comparison = {0};
  for (unsigned i = 0; i < columns; i++)
    workload_compare_whole(&comparison, i, y[i], walk(x, rows, columns, i, shuffled));
  char sizes[64];
  snprintf(sizes, sizeof sizes, "rows=%u ctas=%u", rows, ctas);
  workload_close(&w);
  free(x), free(y);
  return workload_verdict(&w, sizes, &comparison);
}
