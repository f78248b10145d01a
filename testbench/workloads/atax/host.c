/* SPDX-License-Identifier: Apache-2.0 */
/* atax: A x and A^T (A x), compared with sums of whole numbers, bit for bit: numbers have so few bits that no sum reaches
 * 2^24, whatever the data. */
#include <cuda.h>

#include "atax_args.h"
#include "atax_ptx.h"
#include "descriptors.h"
#include "workload.h"
#include "workload_ldesc.h"

LDESC_IDS(ATAX_DESCRIPTORS);

enum { THREADS = 256 }; /* as in kernel.cu */

/* An element of the result is the sum of rows * columns products of three numbers, each at most 2^(bits - 1). */
static unsigned bits_of(const struct workload *w, size_t elements) {
  if (elements > 1 << 24)
    workload_usage(w, "rows * columns = %zu: at most %d, or sums of floats are not exact", elements, 1 << 24);
  return elements <= 1 << 18 ? 3 : elements <= 1 << 21 ? 2 : 1;
}

struct vectors {
  int64_t *product, *result;
};

static struct vectors expected(const struct workload *w, unsigned rows, unsigned columns, const float *a,
                               const float *x) {
  struct vectors v = {workload_alloc(w, rows * sizeof *v.product), workload_alloc(w, columns * sizeof *v.result)};
  for (size_t row = 0; row < rows; row++) {
    for (size_t i = 0; i < columns; i++) v.product[row] += (int64_t)a[row * columns + i] * (int64_t)x[i];
    for (size_t i = 0; i < columns; i++) v.result[i] += (int64_t)a[row * columns + i] * v.product[row];
  }
  return v;
}

/* For a kernel whose CTAs have `tile` of A; all read `vector`, and each has its own of `sums`. */
static void describe(const struct workload *w, struct workload_shape tile, CUdeviceptr a, CUdeviceptr vector,
                     unsigned n_vector, CUdeviceptr sums, unsigned n_sums) {
  struct ldesc l = workload_ldesc(w);
  unsigned rows = (unsigned)workload_value(w, "rows"), columns = (unsigned)workload_value(w, "columns");
  struct workload_shape all = {columns, rows, 1}, grid = {(n_sums - 1) / THREADS + 1, 1, 1}, one = {1, 1, 1};
  workload_forget(w, &l);
  workload_describe(w, &l, ATAX_LDESC_A, a, (size_t)rows * columns * sizeof(float), workload_tile(all, tile, one), 0);
  workload_describe(w, &l, ATAX_LDESC_VECTOR, vector, n_vector * sizeof(float), workload_tile_whole(n_vector, grid),
                    WORKLOAD_LINE);
  workload_describe(w, &l, ATAX_LDESC_SUMS, sums, n_sums * sizeof(float), workload_tile_row(n_sums, THREADS), 0);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("atax", argc, argv);
  unsigned rows = (unsigned)workload_value(&w, "rows"), columns = (unsigned)workload_value(&w, "columns");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t n = (size_t)rows * columns;
  unsigned bits = bits_of(&w, n);
  float *a = workload_alloc(&w, n * sizeof *a), *x = workload_alloc(&w, columns * sizeof *x);
  float *product = workload_alloc(&w, rows * sizeof *product), *y = workload_alloc(&w, columns * sizeof *y);
  for (size_t i = 0; i < n; i++) a[i] = (float)workload_whole(seed, 1, i, bits);
  for (unsigned i = 0; i < columns; i++) x[i] = (float)workload_whole(seed, 2, i, bits);

  CUfunction by_rows = workload_open(&w, "atax_rows"), by_columns = workload_kernel(&w, "atax_columns");
  CUdeviceptr device_a = workload_upload(&w, a, n * sizeof *a), device_x = workload_upload(&w, x, columns * sizeof *x);
  CUdeviceptr device_product = workload_upload(&w, product, rows * sizeof *product);
  CUdeviceptr device_y = workload_upload(&w, y, columns * sizeof *y);
  describe(&w, (struct workload_shape){columns, THREADS, 1}, device_a, device_x, columns, device_product, rows);
  workload_launch(&w, by_rows, (rows - 1) / THREADS + 1, THREADS,
                  (void *[]){&rows, &columns, &device_a, &device_x, &device_product});
  describe(&w, (struct workload_shape){THREADS, rows, 1}, device_a, device_product, rows, device_y, columns);
  workload_launch(&w, by_columns, (columns - 1) / THREADS + 1, THREADS,
                  (void *[]){&rows, &columns, &device_a, &device_product, &device_y});
  workload_download(&w, product, device_product, rows * sizeof *product);
  workload_download(&w, y, device_y, columns * sizeof *y);

  struct vectors want = expected(&w, rows, columns, a, x);
  struct workload_comparison comparison = {0};
  for (unsigned i = 0; i < rows; i++) workload_compare(&comparison, i, product[i], (float)want.product[i], 0);
  for (unsigned i = 0; i < columns; i++) workload_compare(&comparison, rows + i, y[i], (float)want.result[i], 0);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "rows=%u columns=%u", rows, columns);
  workload_close(&w);
  free(a), free(x), free(product), free(y), free(want.product), free(want.result);
  return workload_verdict(&w, sizes, &comparison);
}
