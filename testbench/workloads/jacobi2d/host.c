/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi2d: the grid after some steps, compared with steps over the whole grid, bit for bit. */
#include <cuda.h>

#include "jacobi2d_args.h"
#include "jacobi2d_ptx.h"
#include "workload.h"

#include "atoms.h"
#include "tiled_steps.h"

XMEM_ATOM_IDS(JACOBI2D_ATOMS);

static void step(unsigned rows, unsigned columns, unsigned pitch, const float *from, float *to) {
  for (size_t row = 1; row + 1 < rows; row++)
    for (size_t column = 1; column + 1 < columns; column++) {
      const float *x = from + row * pitch + column;
      to[row * pitch + column] = (x[0] + x[-1] + x[1] + x[pitch] + x[-(long)pitch]) * 0.2f;
    }
}

/* All blocks; returns how many. */
static unsigned run(const struct workload *w, struct xmem *x, CUfunction kernel, const struct steps_blocks *s,
                    struct steps_launch l, CUdeviceptr *grid) {
  CUfunction begin = workload_kernel(w, "jacobi2d_begin");
  for (unsigned b = 0; b < s->count; b++) {
    steps_block(s, &l, b);
    for (unsigned t = 0; t < s->steps; t++) {
      if (!steps_rows(s, &l, b, t, 1, s->rows - 1)) continue;
      workload_launch_shape(w, l.tile.rows ? begin : kernel, steps_grid(&l),
                            (struct workload_shape){STEPS_THREADS, 1, 1}, 0,
                            (void *[]){&l, &grid[t & 1], &grid[~t & 1]});
      steps_launched(&l);
    }
  }
  for (unsigned i = 0; i < 2; i++) tile_over(x, JACOBI2D_BLOCK, grid[i], l.pitch, &l.last);
  return s->count;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("jacobi2d", argc, argv);
  unsigned rows = (unsigned)workload_value(&w, "rows"), columns = (unsigned)workload_value(&w, "columns");
  unsigned steps = (unsigned)workload_value(&w, "steps"), tile = (unsigned)workload_value(&w, "tile");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  unsigned pitch = tile_round_up(columns, TILE_SIDE);
  size_t n = (size_t)rows * pitch, bytes = n * sizeof(float);
  float *x[2] = {workload_alloc(&w, bytes), workload_alloc(&w, bytes)}, *result = workload_alloc(&w, bytes);
  for (size_t i = 0; i < n; i++) x[0][i] = x[1][i] = workload_input(seed, 1, i);

  CUfunction kernel = workload_open(&w, "jacobi2d");
  CUdeviceptr grid[2] = {workload_upload(&w, x[0], bytes), workload_upload(&w, x[1], bytes)};
  struct xmem atoms;
  WORKLOAD_PREPARE(&w, xmemOpen(&atoms, w.module));
  struct steps_blocks blocks = steps_cut(rows, pitch, steps, 2, tile * UINT64_C(1024));
  unsigned tiles = run(&w, &atoms, kernel, &blocks, (struct steps_launch){.columns = columns, .pitch = pitch}, grid);
  workload_download(&w, result, grid[steps & 1], bytes);

  for (unsigned t = 0; t < steps; t++) step(rows, columns, pitch, x[t & 1], x[~t & 1]);
  struct workload_comparison comparison = {0};
  for (size_t i = 0; i < n; i++) workload_compare(&comparison, i, result[i], x[steps & 1][i], 0);
  char sizes[128];
  snprintf(sizes, sizeof sizes, "rows=%u columns=%u steps=%u tile=%u tiles=%u", rows, columns, steps, tile, tiles);
  workload_close(&w);
  free(x[0]), free(x[1]), free(result);
  return workload_verdict(&w, sizes, &comparison);
}
