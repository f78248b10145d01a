/* SPDX-License-Identifier: Apache-2.0 */
/* stream: copy, scale, add or triad of vectors; one rounding an element, compared bit for bit. */
#include <cuda.h>

#include "atoms.h"
#include "stream_args.h"
#include "stream_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(STREAM_ATOMS);

enum { THREADS = 256 }; /* as in kernel.cu */
enum { COPY, SCALE, ADD, TRIAD };

int main(int argc, char **argv) {
  struct workload w = workload_arguments("stream", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n"), operation = (unsigned)workload_value(&w, "operation");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t bytes = (size_t)n * sizeof(float);
  float *x = workload_alloc(&w, bytes), *y = workload_alloc(&w, bytes), *z = workload_alloc(&w, bytes), s = 3.1f;
  for (unsigned i = 0; i < n; i++) {
    x[i] = workload_input(seed, 1, i) * 1e-3f; /* so that a sum is rounded */
    y[i] = workload_input(seed, 2, i);
  }

  const char *const kernels[] = {"stream_copy", "stream_scale", "stream_add", "stream_triad"};
  CUfunction kernel = workload_open(&w, kernels[operation]);
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_x = workload_upload_atom(&w, &atoms, STREAM_X, x, bytes);
  CUdeviceptr device_z = workload_upload_atom(&w, &atoms, STREAM_Z, NULL, bytes);
  CUdeviceptr device_y = operation < ADD ? 0 : workload_upload_atom(&w, &atoms, STREAM_Y, y, bytes);
  workload_launch(&w, kernel, (n - 1) / THREADS + 1, THREADS, (void *[]){&n, &s, &device_x, &device_y, &device_z});
  workload_download(&w, z, device_z, bytes);

  struct workload_comparison comparison = {0};
  for (unsigned i = 0; i < n; i++) {
    float want = operation == COPY    ? x[i]
                 : operation == SCALE ? s * x[i]
                 : operation == ADD   ? x[i] + y[i]
                                      : fmaf(s, y[i], x[i]);
    workload_compare(&comparison, i, z[i], want, 0);
  }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u operation=%u", n, operation);
  workload_close(&w);
  free(x), free(y), free(z);
  return workload_verdict(&w, sizes, &comparison);
}
