/* SPDX-License-Identifier: Apache-2.0 */
/* matrix_add: C = A + B; one rounding an element, compared bit for bit. */
#include <cuda.h>

#include "atoms.h"
#include "matrix_add_args.h"
#include "matrix_add_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(MATRIX_ADD_ATOMS);

enum { SIDE = 16 }; /* as in kernel.cu */

int main(int argc, char **argv) {
  struct workload w = workload_arguments("matrix_add", argc, argv);
  unsigned rows = (unsigned)workload_value(&w, "rows"), columns = (unsigned)workload_value(&w, "columns");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t n = (size_t)rows * columns, bytes = n * sizeof(float);
  float *a = workload_alloc(&w, bytes), *b = workload_alloc(&w, bytes), *c = workload_alloc(&w, bytes);
  for (size_t i = 0; i < n; i++) {
    a[i] = workload_input(seed, 1, i) * 1e-3f; /* so that a sum is rounded */
    b[i] = workload_input(seed, 2, i);
  }

  CUfunction kernel = workload_open(&w, "matrix_add");
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_a = workload_upload_atom(&w, &atoms, MATRIX_ADD_A, a, bytes);
  CUdeviceptr device_b = workload_upload_atom(&w, &atoms, MATRIX_ADD_B, b, bytes);
  CUdeviceptr device_c = workload_upload_atom(&w, &atoms, MATRIX_ADD_C, NULL, bytes);
  struct workload_shape grid = {(columns - 1) / SIDE + 1, (rows - 1) / SIDE + 1, 1}, block = {SIDE, SIDE, 1};
  workload_launch_shape(&w, kernel, grid, block, 0, (void *[]){&rows, &columns, &device_a, &device_b, &device_c});
  workload_download(&w, c, device_c, bytes);

  struct workload_comparison comparison = {0};
  for (size_t i = 0; i < n; i++) workload_compare(&comparison, i, c[i], a[i] + b[i], 0);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "rows=%u columns=%u", rows, columns);
  workload_close(&w);
  free(a), free(b), free(c);
  return workload_verdict(&w, sizes, &comparison);
}
