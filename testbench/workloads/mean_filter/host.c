/* SPDX-License-Identifier: Apache-2.0 */
/* mean_filter: pixels are whole numbers, so that float sums are exact in any order and one product is
 * rounded; compared with differences of a summed-area table, bit for bit. */
#include <cuda.h>

#include "atoms.h"
#include "mean_filter_args.h"
#include "mean_filter_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

#include "filter_tile.h"

XMEM_ATOM_IDS(MEAN_FILTER_ATOMS);

static int clamp(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

int main(int argc, char **argv) {
  struct workload w = workload_arguments("mean_filter", argc, argv);
  int rows = (int)workload_value(&w, "rows"), columns = (int)workload_value(&w, "columns");
  int radius = (int)workload_value(&w, "radius"), diameter = 2 * radius + 1;
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  filter_check(&w, rows, columns, radius);
  size_t n = (size_t)rows * (size_t)columns, bytes = n * sizeof(float), pitch = (size_t)columns + 1;
  float *in = workload_alloc(&w, bytes), *out = workload_alloc(&w, bytes), scale = 1.f / (float)(diameter * diameter);
  int64_t *area = workload_alloc(&w, ((size_t)rows + 1) * pitch * sizeof(int64_t));
  for (size_t i = 0; i < n; i++) in[i] = (float)workload_whole(seed, 1, i, 9);

  CUfunction kernel = workload_open(&w, radius == 1 && strcmp(w.version, "naive") ? "mean_filter_1" : "mean_filter");
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_in = workload_upload_atom(&w, &atoms, MEAN_FILTER_IN, in, bytes);
  CUdeviceptr device_out = workload_upload_atom(&w, &atoms, MEAN_FILTER_OUT, NULL, bytes);
  struct workload_shape block = {SIDE, SIDE, 1};
  struct workload_shape grid = {(unsigned)(columns - 1) / SIDE + 1, (unsigned)(rows - 1) / SIDE + 1, 1};
  workload_launch_shape(&w, kernel, grid, block, 0,
                        (void *[]){&rows, &columns, &radius, &scale, &device_in, &device_out});
  workload_download(&w, out, device_out, bytes);

  /* area[r][c]: sum of the pixels above row r and left of column c */
  for (size_t r = 0; r < (size_t)rows; r++)
    for (size_t c = 0; c < (size_t)columns; c++)
      area[(r + 1) * pitch + c + 1] = (int64_t)in[r * (size_t)columns + c] + area[r * pitch + c + 1] +
                                      area[(r + 1) * pitch + c] - area[r * pitch + c];
  struct workload_comparison comparison = {0};
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < columns; column++) {
      size_t top = (size_t)clamp(row - radius, rows) * pitch, bottom = (size_t)clamp(row + radius + 1, rows) * pitch;
      size_t left = (size_t)clamp(column - radius, columns), right = (size_t)clamp(column + radius + 1, columns);
      int64_t sum = area[bottom + right] - area[top + right] - area[bottom + left] + area[top + left];
      size_t i = (size_t)row * (size_t)columns + (size_t)column;
      workload_compare(&comparison, i, out[i], (float)sum * scale, 0);
    }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "rows=%d columns=%d radius=%d", rows, columns, radius);
  workload_close(&w);
  free(in), free(out), free(area);
  return workload_verdict(&w, sizes, &comparison);
}
