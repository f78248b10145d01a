/* SPDX-License-Identifier: Apache-2.0 */
/* transpose: B = A^T, compared element by element. Every element is a different number. */
#include <cuda.h>

#include "atoms.h"
#include "descriptors.h"
#include "transpose_args.h"
#include "transpose_ptx.h"
#include "workload.h"
#include "workload_atoms.h"
#include "workload_ldesc.h"

XMEM_ATOM_IDS(TRANSPOSE_ATOMS);
LDESC_IDS(TRANSPOSE_DESCRIPTORS);

/* CTA (x, y) has tile (x, y) of A and tile (y, x) of B. Along diagonals no tile of CTAs has a tile of them. */
static void describe(const struct workload *w, struct workload_shape grid, CUdeviceptr a, CUdeviceptr b) {
  struct ldesc l = workload_ldesc(w);
  unsigned rows = (unsigned)workload_value(w, "rows"), columns = (unsigned)workload_value(w, "columns");
  unsigned side = (unsigned)workload_value(w, "tile");
  struct workload_shape in = {columns, rows, 1}, out = {rows, columns, 1}, tile = {side, side, 1}, one = {1, 1, 1};
  size_t bytes = (size_t)rows * columns * sizeof(uint32_t);
  int diagonal = workload_value(w, "diagonal") != 0;
  workload_describe(w, &l, TRANSPOSE_LDESC_A, a, bytes, workload_tile(in, diagonal ? in : tile, diagonal ? grid : one),
                    0);
  workload_describe(w, &l, TRANSPOSE_LDESC_B, b, bytes,
                    workload_tile(out, diagonal ? out : tile, diagonal ? grid : one), 0);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("transpose", argc, argv);
  unsigned rows = (unsigned)workload_value(&w, "rows"), columns = (unsigned)workload_value(&w, "columns");
  unsigned tile = (unsigned)workload_value(&w, "tile"), diagonal = (unsigned)workload_value(&w, "diagonal");
  int gap = workload_value(&w, "gap") && (!strncmp(w.version, "d2ma", 4) || !strcmp(w.version, "in_order"));
  long long launches = workload_value(&w, "launches");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  if (tile != 16 && tile != 32) workload_usage(&w, "tile=%u: tiles are of 16 x 16 or of 32 x 32", tile);
  size_t n = (size_t)rows * columns, bytes = n * sizeof(uint32_t);
  uint32_t *a = workload_alloc(&w, bytes), *b = workload_alloc(&w, bytes);
  /* finite floats, moved and never computed with */
  uint32_t first = (uint32_t)workload_bits(seed, 1, 0) & 0xffff;
  for (size_t i = 0; i < n; i++) a[i] = 0x10000000u + first + (uint32_t)i;

  static const char *const names[2][2] = {{"transpose16", "transpose16_gap"}, {"transpose32", "transpose32_gap"}};
  CUfunction kernel = workload_open(&w, names[tile == 32][gap]);
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_a = workload_upload_atom_tiled(&w, &atoms, TRANSPOSE_A, a, bytes);
  CUdeviceptr device_b = workload_upload_atom(&w, &atoms, TRANSPOSE_B, NULL, bytes);
  struct workload_shape grid = {(columns - 1) / tile + 1, (rows - 1) / tile + 1, 1};
  struct workload_shape block = {tile, tile == 16 ? 16 : 8, 1};
  describe(&w, grid, device_a, device_b);
  for (long long i = 0; i < launches; i++)
    workload_launch_shape(&w, kernel, grid, block, 0, (void *[]){&rows, &columns, &diagonal, &device_a, &device_b});
  workload_download(&w, b, device_b, bytes);

  struct workload_comparison comparison = {0};
  for (unsigned row = 0; row < rows; row++)
    for (unsigned column = 0; column < columns; column++)
      workload_compare_whole(&comparison, (size_t)column * rows + row, b[(size_t)column * rows + row],
                             a[(size_t)row * columns + column]);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "rows=%u columns=%u tile=%u diagonal=%u", rows, columns, tile, diagonal);
  workload_close(&w);
  free(a), free(b);
  return workload_verdict(&w, sizes, &comparison);
}
