/* SPDX-License-Identifier: Apache-2.0 */
/* mvt: both vectors, compared with sums of whole numbers, bit for bit: with the largest n a sum stays below
 * 2^20 + 2^4, and floats hold it. */
#include <cuda.h>

#include "descriptors.h"
#include "mvt_args.h"
#include "mvt_ptx.h"
#include "workload.h"
#include "workload_ldesc.h"

LDESC_IDS(MVT_DESCRIPTORS);

enum { THREADS = 256, BITS = 4 }; /* THREADS as in kernel.cu */

/* Start of vector i of x1, x2, y1, y2. */
static float *vector(const struct workload *w, unsigned n, unsigned i) {
  uint64_t seed = (uint64_t)workload_value(w, "seed");
  float *v = workload_alloc(w, n * sizeof *v);
  for (unsigned k = 0; k < n; k++) v[k] = (float)workload_whole(seed, 2 + i, k, BITS);
  return v;
}

/* For a kernel whose CTAs have `tile` of A; all read `vector`, and each has its own of `sums`. */
static void describe(const struct workload *w, struct workload_shape tile, CUdeviceptr a, CUdeviceptr vector,
                     CUdeviceptr sums) {
  struct ldesc l = workload_ldesc(w);
  unsigned n = (unsigned)workload_value(w, "n");
  struct workload_shape all = {n, n, 1}, grid = {(n - 1) / THREADS + 1, 1, 1}, one = {1, 1, 1};
  size_t bytes = n * sizeof(float);
  workload_forget(w, &l);
  workload_describe(w, &l, MVT_LDESC_A, a, n * bytes, workload_tile(all, tile, one), 0);
  workload_describe(w, &l, MVT_LDESC_VECTOR, vector, bytes, workload_tile_whole(n, grid), WORKLOAD_LINE);
  workload_describe(w, &l, MVT_LDESC_SUMS, sums, bytes, workload_tile_row(n, THREADS), 0);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("mvt", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t bytes = n * sizeof(float), elements = (size_t)n * n;
  float *a = workload_alloc(&w, elements * sizeof *a), *v[4];
  double *want = workload_alloc(&w, 2 * n * sizeof *want);
  for (size_t i = 0; i < elements; i++) a[i] = (float)workload_whole(seed, 1, i, BITS);
  for (unsigned i = 0; i < 4; i++) v[i] = vector(&w, n, i);
  for (unsigned i = 0; i < 2 * n; i++) want[i] = v[i / n][i % n];

  CUfunction by_rows = workload_open(&w, "mvt_rows"), by_columns = workload_kernel(&w, "mvt_columns");
  CUdeviceptr device_a = workload_upload(&w, a, elements * sizeof *a), device[4];
  for (unsigned i = 0; i < 4; i++) device[i] = workload_upload(&w, v[i], bytes);
  unsigned ctas = (n - 1) / THREADS + 1;
  describe(&w, (struct workload_shape){n, THREADS, 1}, device_a, device[2], device[0]);
  workload_launch(&w, by_rows, ctas, THREADS, (void *[]){&n, &device_a, &device[2], &device[0]});
  describe(&w, (struct workload_shape){THREADS, n, 1}, device_a, device[3], device[1]);
  workload_launch(&w, by_columns, ctas, THREADS, (void *[]){&n, &device_a, &device[3], &device[1]});
  for (unsigned i = 0; i < 2; i++) workload_download(&w, v[i], device[i], bytes);

  for (size_t row = 0; row < n; row++)
    for (size_t column = 0; column < n; column++) {
      want[row] += (double)a[row * n + column] * v[2][column];
      want[n + column] += (double)a[row * n + column] * v[3][row];
    }
  struct workload_comparison comparison = {0};
  for (unsigned i = 0; i < 2 * n; i++) workload_compare(&comparison, i, v[i / n][i % n], (float)want[i], 0);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u", n);
  workload_close(&w);
  for (unsigned i = 0; i < 4; i++) free(v[i]);
  free(a), free(want);
  return workload_verdict(&w, sizes, &comparison);
}
