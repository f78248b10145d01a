/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi: x after some iterations and the largest change of the last one, compared with whole-grid iterations, bit for
 * bit. Versions plain and hand smooth with nine points instead, without a right-hand side and a change. */
#include <cuda.h>

#include "atoms.h"
#include "jacobi_args.h"
#include "jacobi_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(JACOBI_ATOMS);

enum { SIDE = 16 }; /* as in kernel.cu */

static const float weight[3] = {0.2f, 0.15f,
                                0.05f}; /* of a cell, a side and a corner; their sum over nine points is 1 */

static void smooth(unsigned rows, unsigned columns, const float *x, float *next) {
  memcpy(next, x, (size_t)rows * columns * sizeof *x);
  for (unsigned r = 1; r + 1 < rows; r++)
    for (unsigned c = 1; c + 1 < columns; c++) {
      const float *here = x + (size_t)r * columns + c, *north = here - columns, *south = here + columns;
      float sides = north[0] + here[-1] + here[1] + south[0];
      float corners = north[-1] + north[1] + south[-1] + south[1];
      float own = weight[0] * here[0];
      next[here - x] = fmaf(weight[2], corners, fmaf(weight[1], sides, own));
    }
}

/* Versions plain and hand: x holds the start and then the result that is wanted, `next` is as large. */
static int run_nine(struct workload *w, unsigned rows, unsigned columns, unsigned iterations, float *x, float *next) {
  size_t n = (size_t)rows * columns, bytes = n * sizeof *x;
  unsigned inner_rows = rows > 2 ? rows - 2 : 1, inner_columns = columns > 2 ? columns - 2 : 1;
  struct workload_shape grid = {(inner_columns - 1) / SIDE + 1, (inner_rows - 1) / SIDE + 1, 1};
  float *result = workload_alloc(w, bytes), w0 = weight[0], w1 = weight[1], w2 = weight[2];
  CUfunction kernel = workload_open(w, "jacobi");
  CUdeviceptr device[2] = {workload_upload(w, x, bytes), workload_upload(w, x, bytes)};
  for (unsigned i = 0; i < iterations; i++)
    workload_launch_shape(w, kernel, grid, (struct workload_shape){SIDE, SIDE, 1}, 0,
                          (void *[]){&rows, &columns, &w0, &w1, &w2, &device[i & 1], &device[~i & 1]});
  workload_download(w, result, device[iterations & 1], bytes);
  for (unsigned i = 0; i < iterations; i++) {
    smooth(rows, columns, x, next);
    memcpy(x, next, bytes);
  }
  struct workload_comparison comparison = {0};
  for (size_t i = 0; i < n; i++) workload_compare(&comparison, i, result[i], x[i], 0);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "rows=%u columns=%u iterations=%u", rows, columns, iterations);
  workload_close(w);
  free(result);
  return workload_verdict(w, sizes, &comparison);
}

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

  if (!strcmp(w.version, "plain") || !strcmp(w.version, "hand")) {
    int status = run_nine(&w, rows, columns, iterations, x, next);
    free(f), free(x), free(next), free(result), free(change);
    return status;
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
