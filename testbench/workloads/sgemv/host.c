/* SPDX-License-Identifier: Apache-2.0 */
/* sgemv: y = A x, A column by column, compared with the same chain of fmaf on the host, bit for
 * bit. */
#include <cuda.h>

#include "atoms.h"
#include "sgemv_args.h"
#include "sgemv_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(SGEMV_ATOMS);

enum { THREADS = 128, LOADERS = 32 }; /* as in kernel.cu */

int main(int argc, char **argv) {
  struct workload w = workload_arguments("sgemv", argc, argv);
  unsigned m = (unsigned)workload_value(&w, "m"), n = (unsigned)workload_value(&w, "n");
  int tile = (int)workload_value(&w, "tile"), ahead = (int)workload_value(&w, "ahead");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  if (tile != 128 && tile != 256) workload_usage(&w, "tile=%d: a buffer takes 128 or 256 elements", tile);
  if (ahead != 1 && ahead != 8) workload_usage(&w, "ahead=%d: 1 or 8 elements of A are asked for at a time", ahead);
  size_t a_bytes = (size_t)m * n * sizeof(float), x_bytes = n * sizeof(float), y_bytes = m * sizeof(float);
  float *a = workload_alloc(&w, a_bytes), *x = workload_alloc(&w, x_bytes), *y = workload_alloc(&w, y_bytes);
  float *want = workload_alloc(&w, y_bytes);
  for (size_t i = 0; i < (size_t)m * n; i++) a[i] = workload_input(seed, 1, i);
  for (unsigned i = 0; i < n; i++) x[i] = workload_input(seed, 2, i);

  static const char *const names[2][2] = {{"sgemv", "sgemv_in_order"}, {"sgemv_128", "sgemv_128_in_order"}};
  CUfunction kernel = workload_open(&w, names[tile == 128][ahead == 1]);
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_a = workload_upload_atom(&w, &atoms, SGEMV_A, a, a_bytes);
  CUdeviceptr device_x = workload_upload_atom(&w, &atoms, SGEMV_X, x, x_bytes);
  CUdeviceptr device_y = workload_upload_atom(&w, &atoms, SGEMV_Y, NULL, y_bytes);
  unsigned threads = strcmp(w.version, "cudadma") ? THREADS : THREADS + LOADERS;
  workload_launch(&w, kernel, (m - 1) / THREADS + 1, threads, (void *[]){&m, &n, &device_a, &device_x, &device_y});
  workload_download(&w, y, device_y, y_bytes);

  /* a thread adds its row's products in the order of the columns by fused multiply-adds; so does
   * the host: no rounding is left open, so none is tolerated */
  for (unsigned row = 0; row < m; row++) want[row] = 0;
  for (unsigned column = 0; column < n; column++)
    for (unsigned row = 0; row < m; row++) want[row] = fmaf(a[(size_t)column * m + row], x[column], want[row]);
  struct workload_comparison comparison = {0};
  for (unsigned row = 0; row < m; row++) workload_compare(&comparison, row, y[row], want[row], 0);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "m=%u n=%u tile=%d ahead=%d", m, n, tile, ahead);
  workload_close(&w);
  free(a), free(x), free(y), free(want);
  return workload_verdict(&w, sizes, &comparison);
}
