/* SPDX-License-Identifier: Apache-2.0 */
/* syrk_plain: all of C, compared with sums of whole numbers, bit for bit: C is a multiple of 1/2, with the largest m below
 * 2^20, and floats hold all sums. */
#include <cuda.h>

#include "descriptors.h"
#include "syrk_plain_args.h"
#include "syrk_plain_ptx.h"
#include "workload.h"
#include "workload_ldesc.h"

LDESC_IDS(SYRK_PLAIN_DESCRIPTORS);

enum { WIDE = 32, HIGH = 8, BITS = 4 };       /* all but BITS as in kernel.cu */
static const float alpha = 1.5f, beta = 0.5f; /* ours: PolyBench's are 12435 and 4546 */

static void describe(const struct workload *w, struct workload_shape grid, CUdeviceptr a, CUdeviceptr c) {
  struct ldesc l = workload_ldesc(w);
  unsigned n = (unsigned)workload_value(w, "n"), m = (unsigned)workload_value(w, "m");
  struct workload_shape block = {WIDE, HIGH, 1}, rows = {m, WIDE, 1}, column = {1, grid.y, 1}, one = {1, 1, 1};
  workload_describe(w, &l, SYRK_PLAIN_LDESC_A, a, (size_t)n * m * sizeof(float),
                    workload_tile((struct workload_shape){m, n, 1}, rows, column), WORKLOAD_LINE);
  workload_describe(w, &l, SYRK_PLAIN_LDESC_C, c, (size_t)n * n * sizeof(float),
                    workload_tile((struct workload_shape){n, n, 1}, block, one), 0);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("syrk_plain", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n"), m = (unsigned)workload_value(&w, "m");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t a_bytes = (size_t)n * m * sizeof(float), c_bytes = (size_t)n * n * sizeof(float);
  float *a = workload_alloc(&w, a_bytes), *c = workload_alloc(&w, c_bytes);
  for (size_t i = 0; i < (size_t)n * m; i++) a[i] = (float)workload_whole(seed, 1, i, BITS);
  for (size_t i = 0; i < (size_t)n * n; i++) c[i] = (float)workload_whole(seed, 2, i, BITS);

  CUfunction kernel = workload_open(&w, "syrk_plain");
  CUdeviceptr device_a = workload_upload(&w, a, a_bytes), device_c = workload_upload(&w, c, c_bytes);
  struct workload_shape grid = {(n - 1) / WIDE + 1, (n - 1) / HIGH + 1, 1};
  describe(&w, grid, device_a, device_c);
  float times = alpha, factor = beta;
  workload_launch_shape(&w, kernel, grid, (struct workload_shape){WIDE, HIGH, 1}, 0,
                        (void *[]){&n, &m, &times, &factor, &device_a, &device_c});
  workload_download(&w, c, device_c, c_bytes);

  struct workload_comparison comparison = {0};
  for (size_t row = 0; row < n; row++)
    for (size_t column = 0; column < n; column++) {
      int64_t sum = 0;
      for (size_t i = 0; i < m; i++) sum += (int64_t)a[row * m + i] * (int64_t)a[column * m + i];
      size_t at = row * n + column;
      double want = (double)alpha * (double)sum + (double)beta * workload_whole(seed, 2, at, BITS);
      workload_compare(&comparison, at, c[at], (float)want, 0);
    }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u m=%u", n, m);
  workload_close(&w);
  free(a), free(c);
  return workload_verdict(&w, sizes, &comparison);
}
