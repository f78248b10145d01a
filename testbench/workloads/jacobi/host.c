/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi: x after some iterations and the largest change of the last one, compared with whole-grid iterations, bit for
 * bit. */
#include <cuda.h>

#include "atoms.h"
#include "jacobi_args.h"
#include "jacobi_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(JACOBI_ATOMS);

enum { SIDE = 16 }; /* as in kernel.cu */

/* One iteration; returns the largest change. */
static float iterate(unsigned rows, unsigned columns, const float *f, const float *x, float *next) {
  float largest = 0;
  memcpy(next, x, (size_t)rows * columns * sizeof *x);
  for (unsigned r = 1; r + 1 < rows; r++)
    for (unsigned c = 1; c + 1 < columns; c++) {
      size_t i = (size_t)r * columns + c;
      float vertical = x[i - columns] + x[i + columns], horizontal = x[i - 1] + x[i + 1];
      next[i] = (vertical + horizontal + f[i]) / 4.f;
      largest = fmaxf(largest, fabsf(next[i] - x[i]));
    }
  return largest;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("jacobi", argc, argv);
  unsigned rows = (unsigned)workload_value(&w, "rows"), columns = (unsigned)workload_value(&w, "columns");
  unsigned iterations = (unsigned)workload_value(&w, "iterations");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t n = (size_t)rows * columns, bytes = n * sizeof(float);
  struct workload_shape grid = {(columns - 1) / SIDE + 1, (rows - 1) / SIDE + 1, 1}, block = {SIDE, SIDE, 1};
  size_t ctas = (size_t)grid.x * grid.y;
  float *f = workload_alloc(&w, bytes), *x = workload_alloc(&w, bytes), *next = workload_alloc(&w, bytes);
  float *result = workload_alloc(&w, bytes), *change = workload_alloc(&w, ctas * sizeof *change);
  for (size_t i = 0; i < n; i++) {
    f[i] = workload_input(seed, 1, i);
    x[i] = workload_input(seed, 2, i);
  }

  CUfunction kernel = workload_open(&w, "jacobi");
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_f = workload_upload_atom(&w, &atoms, JACOBI_F, f, bytes);
  CUdeviceptr device_change = workload_upload_atom(&w, &atoms, JACOBI_CHANGE, change, ctas * sizeof *change);
  CUdeviceptr device_x[2] = {workload_upload_atom(&w, &atoms, JACOBI_EVEN, x, bytes),
                             workload_upload_atom(&w, &atoms, JACOBI_ODD, NULL, bytes)};
  for (unsigned i = 0; i < iterations; i++)
    workload_launch_shape(&w, kernel, grid, block, 0,
                          (void *[]){&rows, &columns, &device_f, &device_x[i & 1], &device_x[~i & 1], &device_change});
  workload_download(&w, result, device_x[iterations & 1], bytes);
  workload_download(&w, change, device_change, ctas * sizeof *change);

  float want = 0, got = 0;
  for (unsigned i = 0; i < iterations; i++) {
    want = iterate(rows, columns, f, x, next);
    memcpy(x, next, bytes);
  }
  for (size_t i = 0; i < ctas; i++) got = fmaxf(got, change[i]);
  struct workload_comparison comparison = {0};
  for (size_t i = 0; i < n; i++) workload_compare(&comparison, i, result[i], x[i], 0);
  workload_compare(&comparison, n, got, want, 0);
  char sizes[128];
  snprintf(sizes, sizeof sizes, "rows=%u columns=%u iterations=%u change=%g", rows, columns, iterations, (double)got);
  workload_close(&w);
  free(f), free(x), free(next), free(result), free(change);
  return workload_verdict(&w, sizes, &comparison);
}
