/* SPDX-License-Identifier: Apache-2.0 */
/* lbm: steps of the lattice Boltzmann method from a disturbed rest, compared bit for bit with the same steps. */
#include <cuda.h>

#include "atoms.h"
#include "lbm_args.h"
#include "lbm_cell.h"
#include "lbm_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(LBM_ATOMS);

enum { THREADS = 128 }; /* as in kernel.cu */

static void step(unsigned columns, unsigned rows, float omega, const float *src, float *dst) {
  size_t cells = (size_t)columns * rows;
  for (unsigned y = 0; y < rows; y++)
    for (unsigned x = 0; x < columns; x++) {
      float f[LBM_WAYS];
      for (int way = 0; way < LBM_WAYS; way++) {
        unsigned from_x = (x + columns - (unsigned)LBM_X(way)) % columns;
        unsigned from_y = (y + rows - (unsigned)LBM_Y(way)) % rows;
        f[way] = src[(size_t)way * cells + (size_t)from_y * columns + from_x];
      }
      lbm_cell(omega, f);
      for (int way = 0; way < LBM_WAYS; way++) dst[(size_t)way * cells + (size_t)y * columns + x] = f[way];
    }
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("lbm", argc, argv);
  unsigned columns = (unsigned)workload_value(&w, "columns"), rows = (unsigned)workload_value(&w, "rows");
  unsigned steps = (unsigned)workload_value(&w, "steps");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t n = (size_t)columns * rows * LBM_WAYS, bytes = n * sizeof(float);
  float *f = workload_alloc(&w, bytes), *got = workload_alloc(&w, bytes), *next = workload_alloc(&w, bytes);
  float omega = 1.2f;
  for (size_t i = 0; i < n; i++) f[i] = LBM_WEIGHT(i / (n / LBM_WAYS)) * (1.f + 0.0625f * workload_input(seed, 1, i));

  CUfunction kernel = workload_open(&w, "lbm");
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr lattice[2] = {workload_upload_atom(&w, &atoms, LBM_EVEN, f, bytes),
                            workload_upload_atom(&w, &atoms, LBM_ODD, NULL, bytes)};
  struct workload_shape grid = {(columns - 1) / THREADS + 1, rows, 1}, block = {THREADS, 1, 1};
  for (unsigned i = 0; i < steps; i++)
    workload_launch_shape(&w, kernel, grid, block, 0,
                          (void *[]){&columns, &rows, &omega, &lattice[i & 1], &lattice[~i & 1]});
  workload_download(&w, got, lattice[steps & 1], bytes);

  for (unsigned i = 0; i < steps; i++) {
    step(columns, rows, omega, f, next);
    float *last = f;
    f = next, next = last;
  }
  struct workload_comparison comparison = {0};
  for (size_t i = 0; i < n; i++) workload_compare(&comparison, i, got[i], f[i], 0);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "columns=%u rows=%u steps=%u", columns, rows, steps);
  workload_close(&w);
  free(f), free(got), free(next);
  return workload_verdict(&w, sizes, &comparison);
}
