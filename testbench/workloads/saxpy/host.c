/* SPDX-License-Identifier: Apache-2.0 */
/* saxpy: y = a x + y, compared with fmaf on the host, bit for bit. */
#include <cuda.h>

#include "atoms.h"
#include "saxpy_args.h"
#include "saxpy_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(SAXPY_ATOMS);

enum { THREADS = 128, EACH = 4, THREADS_ONE = 256 }; /* as in kernel.cu */

int main(int argc, char **argv) {
  struct workload w = workload_arguments("saxpy", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t bytes = (size_t)n * sizeof(float);
  float a = 1.25f, *x = workload_alloc(&w, bytes), *y = workload_alloc(&w, bytes), *result = workload_alloc(&w, bytes);
  for (unsigned i = 0; i < n; i++) {
    x[i] = workload_input(seed, 1, i);
    y[i] = workload_input(seed, 2, i);
  }

  int plain = !strcmp(w.version, "plain") || !strcmp(w.version, "xmem"), each = (int)workload_value(&w, "each");
  if (each != 1 && each != EACH) workload_usage(&w, "each=%d: a thread copies 1 or %d elements of a tile", each, EACH);
  int one = each == 1 && !plain;
  unsigned threads = one ? THREADS_ONE : THREADS, tile = threads * (unsigned)(plain ? 1 : each);
  CUfunction kernel = workload_open(&w, one ? "saxpy_one" : "saxpy");
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_x = workload_upload_atom(&w, &atoms, SAXPY_X, x, bytes);
  CUdeviceptr device_y = workload_upload_atom(&w, &atoms, SAXPY_Y, y, bytes);
  unsigned tiles = (n - 1) / tile + 1, ctas = (unsigned)workload_value(&w, "ctas");
  if (plain || ctas > tiles) ctas = tiles;
  workload_launch(&w, kernel, ctas, threads, (void *[]){&n, &a, &device_x, &device_y});
  workload_download(&w, result, device_y, bytes);

  /* the kernel computes one fused multiply-add an element: no rounding is left open, so none is
   * tolerated */
  struct workload_comparison comparison = {0};
  for (unsigned i = 0; i < n; i++) workload_compare(&comparison, i, result[i], fmaf(a, x[i], y[i]), 0);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u", n);
  workload_close(&w);
  free(x), free(y), free(result);
  return workload_verdict(&w, sizes, &comparison);
}
