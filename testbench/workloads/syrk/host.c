/* SPDX-License-Identifier: Apache-2.0 */
/* syrk: the lower triangle of C = alpha A A^T + beta C, compared with sums of whole numbers in doubles, bit for bit: no sum of
 * floats is rounded, in whatever order. What is above the diagonal stays. */
#include <cuda.h>

#include "syrk_args.h"
#include "syrk_ptx.h"
#include "workload.h"

#include "syrk.h"

XMEM_ATOM_IDS(SYRK_ATOMS);

enum { BITS = 4 };                            /* of an input */
static const float alpha = 1.5f, beta = 0.5f; /* ours: Polybench has beta = 1.2 */

/* All tiles; returns how many. */
static unsigned run(const struct workload *w, struct xmem *x, CUfunction kernel, uint64_t bytes, const struct matrix *a,
                    const struct matrix *c) {
  struct syrk_launch l = {.pitch_a = a->pitch, .pitch_c = c->pitch, .alpha = alpha};
  struct tile_grid g = tile_cut(a->rows, a->columns, bytes, TILE_SIDE, 8);
  CUdeviceptr device_a = a->device, device_c = c->device;
  for (unsigned i = 0; i < g.down * g.across; i++) {
    l.last = l.tile;
    l.tile = tile_at(&g, a->rows, a->columns, TILE_SIDE, i);
    struct workload_shape grid = {tile_parts(l.tile.columns, SYRK_PIECE), l.tile.rows / TILE_SIDE,
                                  tile_parts(a->rows - l.tile.top, SYRK_ROWS)};
    workload_launch_shape(w, kernel, grid, (struct workload_shape){32, 1, 1}, 0, (void *[]){&l, &device_a, &device_c});
  }
  tile_over(x, SYRK_TILE, a->device, a->pitch, &l.tile);
  return g.down * g.across;
}

static void want(const struct matrix *a, const struct matrix *c) {
  unsigned n = a->rows, m = a->columns;
  for (size_t row = 0; row < n; row++)
    for (size_t column = 0; column <= row; column++) {
      double sum = 0;
      for (size_t i = 0; i < m; i++) sum += a->want[row * m + i] * a->want[column * m + i];
      c->want[row * n + column] = alpha * sum + beta * c->want[row * n + column];
    }
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("syrk", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n"), m = (unsigned)workload_value(&w, "m");
  unsigned tile = (unsigned)workload_value(&w, "tile");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  CUfunction kernel = workload_open(&w, "syrk"), scale = workload_kernel(&w, "scale");
  struct matrix a = matrix_make(&w, n, m, seed, 1, BITS), c = matrix_make(&w, n, n, seed, 2, BITS);
  struct xmem x;
  WORKLOAD_PREPARE(&w, xmemOpen(&x, w.module));
  matrix_streams(&x, SYRK_A, &a), matrix_streams(&x, SYRK_C, &c);

  struct workload_shape triangle = {c.pitch / TILE_SIDE, n, 1};
  float factor = beta;
  workload_launch_shape(&w, scale, triangle, (struct workload_shape){32, 1, 1}, 0,
                        (void *[]){&c.pitch, &factor, &c.device});
  unsigned tiles = run(&w, &x, kernel, tile * UINT64_C(1024), &a, &c);

  want(&a, &c);
  struct workload_comparison comparison = {0};
  matrix_compare(&w, &comparison, &c);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "n=%u m=%u tile=%u tiles=%u", n, m, tile, tiles);
  workload_close(&w);
  matrix_free(&a), matrix_free(&c);
  return workload_verdict(&w, sizes, &comparison);
}
