/* SPDX-License-Identifier: Apache-2.0 */
/* vecadd: c = a + b; one rounding an element, compared bit for bit. */
#include <cuda.h>

#include "atoms.h"
#include "vecadd_args.h"
#include "vecadd_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(VECADD_ATOMS);

enum { THREADS = 256 }; /* as in kernel.cu */

int main(int argc, char **argv) {
  struct workload w = workload_arguments("vecadd", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t bytes = (size_t)n * sizeof(float);
  float *a = workload_alloc(&w, bytes), *b = workload_alloc(&w, bytes), *c = workload_alloc(&w, bytes);
  for (unsigned i = 0; i < n; i++) {
    a[i] = workload_input(seed, 1, i) * 1e-3f; /* so that a sum is rounded */
    b[i] = workload_input(seed, 2, i);
  }

  CUfunction kernel = workload_open(&w, "vecadd");
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_a = workload_upload_atom(&w, &atoms, VECADD_A, a, bytes);
  CUdeviceptr device_b = workload_upload_atom(&w, &atoms, VECADD_B, b, bytes);
  CUdeviceptr device_c = workload_upload_atom(&w, &atoms, VECADD_C, NULL, bytes);
  workload_launch(&w, kernel, (n - 1) / THREADS + 1, THREADS, (void *[]){&n, &device_a, &device_b, &device_c});
  workload_download(&w, c, device_c, bytes);

  struct workload_comparison comparison = {0};
  for (unsigned i = 0; i < n; i++) workload_compare(&comparison, i, c[i], a[i] + b[i], 0);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u", n);
  workload_close(&w);
  free(a), free(b), free(c);
  return workload_verdict(&w, sizes, &comparison);
}
