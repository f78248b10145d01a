/* SPDX-License-Identifier: Apache-2.0 */
/* piecewise: a piecewise cubic, compared with fmaf on the host, bit for bit. */
#include <cuda.h>

#include "piecewise_args.h"
#include "piecewise_ptx.h"
#include "workload.h"

enum { PIECES = 256, THREADS = 128 }; /* as in kernel.cu */

int main(int argc, char **argv) {
  struct workload w = workload_arguments("piecewise", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n"), spread = (unsigned)workload_value(&w, "spread");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t bytes = (size_t)n * sizeof(float);
  float *x = workload_alloc(&w, bytes), *y = workload_alloc(&w, bytes), c[4 * PIECES];
  for (unsigned i = 0; i < 4 * PIECES; i++) c[i] = workload_input(seed, 1, i);
  /* warp after warp another piece; its lanes in `spread` pieces from there on */
  for (unsigned i = 0; i < n; i++) {
    unsigned piece = (unsigned)(i / 32 * 7 + workload_bits(seed, 2, i) % spread) % PIECES;
    x[i] = ((float)piece + (float)(workload_bits(seed, 3, i) % 4096) / 4096) / PIECES;
  }

  CUfunction kernel = workload_open(&w, "piecewise");
  CUdeviceptr coefficients, device_x = workload_upload(&w, x, bytes), device_y = workload_upload(&w, NULL, bytes);
  size_t size;
  WORKLOAD_PREPARE(&w, cuModuleGetGlobal(&coefficients, &size, w.module, "coefficients"));
  WORKLOAD_PREPARE(&w, cuMemcpyHtoD(coefficients, c, sizeof c));
  workload_launch(&w, kernel, (n - 1) / THREADS + 1, THREADS, (void *[]){&n, &device_x, &device_y});
  workload_download(&w, y, device_y, bytes);

  struct workload_comparison comparison = {0};
  for (unsigned i = 0; i < n; i++) {
    float at = x[i] * PIECES, t = at - (float)(int)at;
    const float *p = c + 4 * (size_t)(int)at;
    workload_compare(&comparison, i, y[i], fmaf(fmaf(fmaf(p[3], t, p[2]), t, p[1]), t, p[0]), 0);
  }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u spread=%u", n, spread);
  workload_close(&w);
  free(x), free(y);
  return workload_verdict(&w, sizes, &comparison);
}
