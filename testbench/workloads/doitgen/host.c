/* SPDX-License-Identifier: Apache-2.0 */
/* doitgen: all planes, compared with sums of whole numbers, bit for bit: with the largest np a sum stays below 2^17, and
 * floats hold it. */
#include <cuda.h>

#include "descriptors.h"
#include "doitgen_args.h"
#include "doitgen_ptx.h"
#include "workload.h"
#include "workload_ldesc.h"

LDESC_IDS(DOITGEN_DESCRIPTORS);

enum { WIDE = 32, HIGH = 8, BITS = 4 }; /* all but BITS as in kernel.cu */

/* The row q of plane r after the product. */
static void expected(uint64_t seed, unsigned np, size_t row, const float *c, double *want) {
  memset(want, 0, np * sizeof *want);
  for (size_t s = 0; s < np; s++) {
    double a = workload_whole(seed, 1, row * np + s, BITS);
    for (size_t p = 0; p < np; p++) want[p] += a * c[s * np + p];
  }
}

/* A plane; the last one is forgotten. */
static void describe(const struct workload *w, const struct ldesc *l, struct workload_shape grid, unsigned nq,
                     unsigned np, CUdeviceptr a, CUdeviceptr c, CUdeviceptr sum) {
  size_t bytes = (size_t)nq * np * sizeof(float), c_bytes = (size_t)np * np * sizeof(float);
  struct workload_shape plane = {np, nq, 1}, square = {np, np, 1}, block = {WIDE, HIGH, 1}, one = {1, 1, 1};
  struct workload_shape columns = {WIDE, np, 1}, rows = {np, HIGH, 1}, down = {1, grid.y, 1}, along = {grid.x, 1, 1};
  workload_forget(w, l);
  workload_describe(w, l, DOITGEN_LDESC_C, c, c_bytes, workload_tile(square, columns, down), np * 4);
  workload_describe(w, l, DOITGEN_LDESC_A, a, bytes, workload_tile(plane, rows, along), WORKLOAD_LINE);
  workload_describe(w, l, DOITGEN_LDESC_SUM, sum, bytes, workload_tile(plane, block, one), 0);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("doitgen", argc, argv);
  unsigned nr = (unsigned)workload_value(&w, "nr"), nq = (unsigned)workload_value(&w, "nq");
  unsigned np = (unsigned)workload_value(&w, "np");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t n = (size_t)nr * nq * np, bytes = n * sizeof(float), c_bytes = (size_t)np * np * sizeof(float);
  float *a = workload_alloc(&w, bytes), *c = workload_alloc(&w, c_bytes);
  for (size_t i = 0; i < n; i++) a[i] = (float)workload_whole(seed, 1, i, BITS);
  for (size_t i = 0; i < (size_t)np * np; i++) c[i] = (float)workload_whole(seed, 2, i, BITS);

  CUfunction product = workload_open(&w, "doitgen_product"), replace = workload_kernel(&w, "doitgen_replace");
  CUdeviceptr device_a = workload_upload(&w, a, bytes), device_c = workload_upload(&w, c, c_bytes);
  CUdeviceptr sum = workload_upload(&w, NULL, bytes);
  struct workload_shape grid = {(np - 1) / WIDE + 1, (nq - 1) / HIGH + 1, 1}, block = {WIDE, HIGH, 1};
  struct ldesc l = workload_ldesc(&w);
  for (unsigned r = 0; r < nr; r++) {
    CUdeviceptr first = (CUdeviceptr)r * nq * np * sizeof(float);
    describe(&w, &l, grid, nq, np, device_a + first, device_c, sum + first);
    workload_launch_shape(&w, product, grid, block, 0, (void *[]){&nq, &np, &r, &device_a, &device_c, &sum});
    workload_launch_shape(&w, replace, grid, block, 0, (void *[]){&nq, &np, &r, &sum, &device_a});
  }
  workload_download(&w, a, device_a, bytes);

  struct workload_comparison comparison = {0};
  double *want = workload_alloc(&w, np * sizeof *want);
  for (size_t row = 0; row < (size_t)nr * nq; row++) {
    expected(seed, np, row, c, want);
    for (unsigned p = 0; p < np; p++) workload_compare(&comparison, row * np + p, a[row * np + p], (float)want[p], 0);
  }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "nr=%u nq=%u np=%u", nr, nq, np);
  workload_close(&w);
  free(a), free(c), free(want);
  return workload_verdict(&w, sizes, &comparison);
}
