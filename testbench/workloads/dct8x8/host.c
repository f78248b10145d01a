/* SPDX-License-Identifier: Apache-2.0 */
/* dct8x8: compared with the definition, cosines and sums in double precision. A float transform makes
 * at most eight roundings in either pass, of sums below 1024: 16 x 2^-24 x 1024 < 0.001. */
#include <cuda.h>

#include "atoms.h"
#include "dct8x8_args.h"
#include "dct8x8_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(DCT8X8_ATOMS);

static const double TOLERANCE = 0.001;

/* One pass of a block: to[8 k + v] from the 8 samples from[8 v + ...]; two passes transpose twice. */
static void pass(double basis[8][8], int inverse, const double *from, double *to) {
  for (int v = 0; v < 8; v++)
    for (int k = 0; k < 8; k++) {
      double sum = 0;
      for (int i = 0; i < 8; i++) sum += (inverse ? basis[i][k] : basis[k][i]) * from[8 * v + i];
      to[8 * k + v] = sum;
    }
}

static void want_image(unsigned rows, unsigned columns, int inverse, const float *in, double *out) {
  double basis[8][8], block[64], half[64];
  for (int u = 0; u < 8; u++)
    for (int x = 0; x < 8; x++) basis[u][x] = (u ? 0.5 : sqrt(0.125)) * cos((2 * x + 1) * u * M_PI / 16);
  for (size_t row = 0; row < rows; row += 8)
    for (size_t column = 0; column < columns; column += 8) {
      for (size_t i = 0; i < 64; i++) block[i] = in[(row + i / 8) * columns + column + i % 8];
      pass(basis, inverse, block, half);
      pass(basis, inverse, half, block);
      for (size_t i = 0; i < 64; i++) out[(row + i / 8) * columns + column + i % 8] = block[i];
    }
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("dct8x8", argc, argv);
  unsigned rows = (unsigned)workload_value(&w, "rows"), columns = (unsigned)workload_value(&w, "columns");
  int inverse = (int)workload_value(&w, "inverse");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  if (rows % 8 || columns % 8) workload_usage(&w, "rows=%u columns=%u: both are multiples of 8", rows, columns);
  size_t n = (size_t)rows * columns, bytes = n * sizeof(float);
  float *in = workload_alloc(&w, bytes), *out = workload_alloc(&w, bytes);
  double *want = workload_alloc(&w, n * sizeof(double));
  for (size_t i = 0; i < n; i++) in[i] = (float)workload_whole(seed, 1, i, 8);

  int sized = workload_sized(&w, "threads"), naive = !strcmp(w.version, "naive");
  int gap = workload_value(&w, "gap") && (sized || !strncmp(w.version, "d2ma", 4) || !strcmp(w.version, "in_order"));
  static const char *const names[2][2] = {{"dct8x8", "dct8x8_gap"}, {"idct8x8", "idct8x8_gap"}};
  CUfunction kernel = workload_open(&w, names[!!inverse][gap]);
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_in = workload_upload_atom_tiled(&w, &atoms, DCT8X8_IN, in, bytes);
  CUdeviceptr device_out = workload_upload_atom(&w, &atoms, DCT8X8_OUT, NULL, bytes);
  unsigned high =
    naive ? 1 : (unsigned)workload_value(&w, "threads") / 32; /* 8 x 8 blocks of a CTA, one above another */
  struct workload_shape block = {8, naive ? 8 : 4, high}, grid = {columns / 8, rows / 8, 1};
  if (!naive) grid.x = (columns - 1) / 32 + 1, grid.y = (rows - 1) / (8 * high) + 1;
  workload_launch_shape(&w, kernel, grid, block, sized ? 8 * high * (unsigned)(32 + gap) * 4 : 0,
                        (void *[]){&rows, &columns, &device_in, &device_out});
  workload_download(&w, out, device_out, bytes);

  want_image(rows, columns, inverse, in, want);
  struct workload_comparison comparison = {0};
  for (size_t i = 0; i < n; i++) workload_compare(&comparison, i, out[i], (float)want[i], TOLERANCE);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "rows=%u columns=%u inverse=%d", rows, columns, inverse);
  workload_close(&w);
  free(in), free(out), free(want);
  return workload_verdict(&w, sizes, &comparison);
}
