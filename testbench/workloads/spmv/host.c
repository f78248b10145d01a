/* SPDX-License-Identifier: Apache-2.0 */
/* spmv: a sparse matrix of random columns times a vector, compared with sums of whole numbers. */
#include <cuda.h>

#include "atoms.h"
#include "spmv_args.h"
#include "spmv_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(SPMV_ATOMS);

enum { THREADS = 256, ROWS_OF_CTA = THREADS / 32 }; /* as in kernel.cu */

int main(int argc, char **argv) {
  struct workload w = workload_arguments("spmv", argc, argv);
  unsigned rows = (unsigned)workload_value(&w, "rows"), columns = (unsigned)workload_value(&w, "columns");
  unsigned degree = (unsigned)workload_value(&w, "degree");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  unsigned *first = workload_alloc(&w, (rows + 1) * sizeof *first);
  /* Rows of 1 .. 2 degree - 1 elements. */
  for (unsigned i = 0; i < rows; i++)
    first[i + 1] = first[i] + 1 + (unsigned)(workload_bits(seed, 1, i) % (2 * degree - 1));
  size_t n = first[rows], x_bytes = columns * sizeof(float), y_bytes = rows * sizeof(float);
  unsigned *column = workload_alloc(&w, n * sizeof *column);
  float *value = workload_alloc(&w, n * sizeof *value), *x = workload_alloc(&w, x_bytes),
        *y = workload_alloc(&w, y_bytes);
  /* Whole numbers in [-16, 16): the sum of a row of 2047 elements stays below 2^24 and is exact in any order. */
  for (size_t i = 0; i < n; i++) {
    column[i] = (unsigned)(workload_bits(seed, 2, i) % columns);
    value[i] = (float)workload_whole(seed, 3, i, 5);
  }
  for (unsigned i = 0; i < columns; i++) x[i] = (float)workload_whole(seed, 4, i, 5);

  CUfunction kernel = workload_open(&w, "spmv");
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_first = workload_upload_atom(&w, &atoms, SPMV_FIRST, first, (rows + 1) * sizeof *first);
  CUdeviceptr device_column = workload_upload_atom(&w, &atoms, SPMV_COLUMN, column, n * sizeof *column);
  CUdeviceptr device_value = workload_upload_atom(&w, &atoms, SPMV_VALUE, value, n * sizeof *value);
  CUdeviceptr device_x = workload_upload_atom(&w, &atoms, SPMV_X, x, x_bytes);
  CUdeviceptr device_y = workload_upload_atom(&w, &atoms, SPMV_Y, NULL, y_bytes);
  workload_launch(&w, kernel, (rows - 1) / ROWS_OF_CTA + 1, THREADS,
                  (void *[]){&rows, &device_first, &device_column, &device_value, &device_x, &device_y});
  workload_download(&w, y, device_y, y_bytes);

  struct workload_comparison comparison = {0};
  for (unsigned r = 0; r < rows; r++) {
    int64_t want = 0;
    for (unsigned i = first[r]; i < first[r + 1]; i++)
      want += workload_whole(seed, 3, i, 5) * (int64_t)workload_whole(seed, 4, column[i], 5);
    workload_compare(&comparison, r, y[r], (float)want, 0);
  }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "rows=%u columns=%u nonzeros=%zu", rows, columns, n);
  workload_close(&w);
  free(first), free(column), free(value), free(x), free(y);
  return workload_verdict(&w, sizes, &comparison);
}
