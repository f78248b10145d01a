/* SPDX-License-Identifier: Apache-2.0 */
/* matmul: C = A B, compared with the outer products of the columns of A and the rows of B, added in
 * the order of k by fmaf, bit for bit. */
#include <cuda.h>

#include "matmul_args.h"
#include "matmul_ptx.h"
#include "workload.h"

int main(int argc, char **argv) {
  struct workload w = workload_arguments("matmul", argc, argv);
  unsigned m = (unsigned)workload_value(&w, "m"), k = (unsigned)workload_value(&w, "k");
  unsigned n = (unsigned)workload_value(&w, "n");
  unsigned tile = (unsigned)workload_value(&w, "tile");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  if (tile != 16 && tile != 32) workload_usage(&w, "tile=%u: tiles are of 16 x 16 or of 32 x 32", tile);
  if (!strcmp(w.version, "naive")) tile = 16; /* it has none */
  size_t a_bytes = (size_t)m * k * sizeof(float), b_bytes = (size_t)k * n * sizeof(float);
  size_t c_bytes = (size_t)m * n * sizeof(float);
  float *a = workload_alloc(&w, a_bytes), *b = workload_alloc(&w, b_bytes);
  float *c = workload_alloc(&w, c_bytes), *want = workload_alloc(&w, c_bytes);
  for (size_t i = 0; i < (size_t)m * k; i++) a[i] = workload_input(seed, 1, i);
  for (size_t i = 0; i < (size_t)k * n; i++) b[i] = workload_input(seed, 2, i);

  CUfunction kernel = workload_open(&w, tile == 32 ? "matmul32" : "matmul");
  CUdeviceptr device_a = workload_upload_tiled(&w, a, a_bytes), device_b = workload_upload_tiled(&w, b, b_bytes);
  CUdeviceptr device_c = workload_upload(&w, NULL, c_bytes);
  struct workload_shape grid = {(n - 1) / tile + 1, (m - 1) / tile + 1, 1}, block = {tile, tile, 1};
  workload_launch_shape(&w, kernel, grid, block, 0, (void *[]){&m, &k, &n, &device_a, &device_b, &device_c});
  workload_download(&w, c, device_c, c_bytes);

  for (unsigned i = 0; i < k; i++)
    for (unsigned row = 0; row < m; row++)
      for (unsigned column = 0; column < n; column++) {
        size_t at = (size_t)row * n + column;
        want[at] = fmaf(a[(size_t)row * k + i], b[(size_t)i * n + column], want[at]);
      }
  struct workload_comparison comparison = {0};
  for (size_t i = 0; i < (size_t)m * n; i++) workload_compare(&comparison, i, c[i], want[i], 0);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "m=%u k=%u n=%u tile=%u", m, k, n, tile);
  workload_close(&w);
  free(a), free(b), free(c), free(want);
  return workload_verdict(&w, sizes, &comparison);
}
