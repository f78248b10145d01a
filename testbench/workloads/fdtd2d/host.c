/* SPDX-License-Identifier: Apache-2.0 */
/* fdtd2d: three fields after some steps, compared with steps over the whole fields, bit for bit. */
#include <cuda.h>

#include "fdtd2d_args.h"
#include "fdtd2d_ptx.h"
#include "workload.h"

#include "atoms.h"
#include "tiled_steps.h"

XMEM_ATOM_IDS(FDTD2D_ATOMS);

enum { EX, EY, HZ, FIELDS };

/* Row 0 of ey in step t: Polybench's source is t. */
static float source(unsigned t) { return (float)t; }

static void step(unsigned rows, unsigned columns, unsigned pitch, unsigned t, float *const x[FIELDS]) {
  for (size_t row = 0; row < rows; row++)
    for (size_t column = 0; column < columns; column++) {
      size_t i = row * pitch + column;
      x[EY][i] = row ? fmaf(-0.5f, x[HZ][i] - x[HZ][i - pitch], x[EY][i]) : source(t);
      if (column) x[EX][i] = fmaf(-0.5f, x[HZ][i] - x[HZ][i - 1], x[EX][i]);
    }
  for (size_t row = 0; row + 1 < rows; row++)
    for (size_t column = 0; column + 1 < columns; column++) {
      size_t i = row * pitch + column;
      x[HZ][i] = fmaf(-0.7f, x[EX][i + 1] - x[EX][i] + x[EY][i + pitch] - x[EY][i], x[HZ][i]);
    }
}

/* All blocks; returns how many. */
static unsigned run(const struct workload *w, struct xmem *x, const struct steps_blocks *s, struct steps_launch l,
                    CUfunction electric, CUdeviceptr *field) {
  CUfunction magnetic = workload_kernel(w, "magnetic"), begin = workload_kernel(w, "electric_begin");
  struct workload_shape cta = {STEPS_THREADS, 1, 1};
  for (unsigned b = 0; b < s->count; b++) {
    steps_block(s, &l, b);
    for (unsigned t = 0; t < s->steps; t++) {
      float value = source(t);
      if (steps_rows(s, &l, b, t, 0, s->rows)) {
        workload_launch_shape(w, l.tile.rows ? begin : electric, steps_grid(&l), cta, 0,
                              (void *[]){&l, &value, &field[EX], &field[EY], &field[HZ]});
        steps_launched(&l);
      }
      if (steps_rows(s, &l, b, t + 1, 0, s->rows - 1))
        workload_launch_shape(w, magnetic, steps_grid(&l), cta, 0, (void *[]){&l, &field[EX], &field[EY], &field[HZ]});
    }
  }
  for (unsigned i = 0; i < FIELDS; i++) tile_over(x, FDTD2D_BLOCK, field[i], l.pitch, &l.last);
  return s->count;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("fdtd2d", argc, argv);
  unsigned rows = (unsigned)workload_value(&w, "rows"), columns = (unsigned)workload_value(&w, "columns");
  unsigned steps = (unsigned)workload_value(&w, "steps"), tile = (unsigned)workload_value(&w, "tile");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  unsigned pitch = tile_round_up(columns, TILE_SIDE);
  size_t n = (size_t)rows * pitch, bytes = n * sizeof(float);
  float *x[FIELDS], *result = workload_alloc(&w, bytes);
  CUdeviceptr field[FIELDS];
  struct xmem atoms;

  CUfunction electric = workload_open(&w, "electric");
  for (unsigned f = 0; f < FIELDS; f++) {
    x[f] = workload_alloc(&w, bytes);
    for (size_t i = 0; i < n; i++) x[f][i] = workload_input(seed, f, i);
    field[f] = workload_upload(&w, x[f], bytes);
  }
  WORKLOAD_PREPARE(&w, xmemOpen(&atoms, w.module));
  struct steps_blocks blocks = steps_cut(rows, pitch, steps, FIELDS, tile * UINT64_C(1024));
  unsigned tiles = run(&w, &atoms, &blocks, (struct steps_launch){.columns = columns, .pitch = pitch}, electric, field);

  for (unsigned t = 0; t < steps; t++) step(rows, columns, pitch, t, x);
  struct workload_comparison comparison = {0};
  for (unsigned f = 0; f < FIELDS; f++) {
    workload_download(&w, result, field[f], bytes);
    for (size_t i = 0; i < n; i++) workload_compare(&comparison, f * n + i, result[i], x[f][i], 0);
    free(x[f]);
  }
  char sizes[128];
  snprintf(sizes, sizeof sizes, "rows=%u columns=%u steps=%u tile=%u tiles=%u", rows, columns, steps, tile, tiles);
  workload_close(&w);
  free(result);
  return workload_verdict(&w, sizes, &comparison);
}
