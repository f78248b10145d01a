/* SPDX-License-Identifier: Apache-2.0 */
/* gramschmidt: Q and R of A, compared with the modified method in doubles, column after column. The diagonal makes A's condition
 * number less than 4 (random numbers of variance 1/3 have singular values below (sqrt(rows) + sqrt(columns)) / sqrt(3));
 * a dot product of floats is off by at most rows 2^-24 of both norms. Tolerance: the product of both, rows 2^-22,
 * for R times the norm of its column. */
#include <cuda.h>

#include "gramschmidt_args.h"
#include "gramschmidt_ptx.h"
#include "workload.h"

#include "gramschmidt.h"

XMEM_ATOM_IDS(GRAMSCHMIDT_ATOMS);

enum { PANEL = GRAMSCHMIDT_PANEL, PITCH = GRAMSCHMIDT_PITCH };

struct factors {
  unsigned rows, columns, padded; /* padded: rows on the device */
  float *a, *q, *r;
  CUdeviceptr device_a, device_q, device_r, device_parts;
  CUfunction factor, dots, dots_begin, update;
};

static size_t a_bytes(const struct factors *f) { return (size_t)f->padded * PITCH * sizeof(float); }
static size_t r_bytes(const struct factors *f) { return (size_t)f->columns * PITCH * sizeof(float); }
static size_t q_bytes(const struct factors *f) {
  return (size_t)tile_round_up(f->columns, PANEL) * f->padded * sizeof(float);
}
static size_t parts_bytes(const struct factors *f) {
  return (size_t)f->padded / GRAMSCHMIDT_ROWS * PANEL * PITCH * sizeof(float);
}

static void prepare(struct workload *w, struct factors *f, uint64_t seed) {
  f->padded = tile_round_up(f->rows, GRAMSCHMIDT_PADDED);
  f->a = workload_alloc(w, a_bytes(f)), f->q = workload_alloc(w, q_bytes(f)), f->r = workload_alloc(w, r_bytes(f));
  for (size_t row = 0; row < f->rows; row++)
    for (size_t column = 0; column < f->columns; column++)
      f->a[row * PITCH + column] =
        workload_input(seed, 1, row * f->columns + column) + (row == column ? 2.f * sqrtf((float)f->rows) : 0.f);
  f->factor = workload_open(w, "factor");
  f->dots_begin = workload_kernel(w, "dots_begin");
  f->dots = workload_kernel(w, "dots"), f->update = workload_kernel(w, "update");
  f->device_a = workload_upload(w, f->a, a_bytes(f));
  f->device_q = workload_upload(w, f->q, q_bytes(f)), f->device_r = workload_upload(w, f->r, r_bytes(f));
  f->device_parts = workload_upload(w, NULL, parts_bytes(f));
}

/* A panel of Q out of the columns [first, end). */
static void project(const struct workload *w, struct factors *f, struct gramschmidt_launch *l, unsigned panel,
                    unsigned first, unsigned end) {
  l->panel = panel, l->first = first, l->end = end;
  unsigned across = tile_parts(end - first / TILE_SIDE * TILE_SIDE, TILE_SIDE);
  struct workload_shape cta = {GRAMSCHMIDT_THREADS, 1, 1};
  struct workload_shape grid = {across, f->padded / GRAMSCHMIDT_ROWS, 1};
  workload_launch_shape(w, l->tile.rows ? f->dots_begin : f->dots, grid, cta, 0,
                        (void *[]){l, &f->device_a, &f->device_q, &f->device_parts});
  l->tile.rows = 0;
  workload_launch_shape(w, f->update, grid, cta, 0,
                        (void *[]){l, &f->device_a, &f->device_q, &f->device_parts, &f->device_r});
}

static void factor(const struct workload *w, struct factors *f, struct gramschmidt_launch *l, unsigned panel) {
  l->panel = panel, l->first = panel * PANEL;
  l->end = l->first + PANEL < f->columns ? l->first + PANEL : f->columns;
  workload_launch_shape(
    w, f->factor, (struct workload_shape){1, 1, 1}, (struct workload_shape){GRAMSCHMIDT_THREADS, 1, 1},
    PANEL * (f->padded + 1) * (unsigned)sizeof(float), (void *[]){l, &f->device_a, &f->device_q, &f->device_r});
  l->tile.rows = 0;
}

/* All blocks of columns of at most `bytes`; returns how many. */
static unsigned run(const struct workload *w, struct xmem *x, struct factors *f, uint64_t bytes) {
  uint64_t most = bytes / (f->padded * sizeof(float) * TILE_SIDE);
  unsigned whole = tile_parts(f->columns, TILE_SIDE), wide = most < 1 ? 1 : most < whole ? (unsigned)most : whole;
  unsigned blocks = tile_parts(whole, wide);
  wide *= TILE_SIDE;
  struct tile_block last = {0};
  for (unsigned left = 0; left < f->columns; left += wide) {
    unsigned end = left + wide < f->columns ? left + wide : f->columns;
    struct gramschmidt_launch l = {.rows = f->padded, .tile = {0, f->padded, left, wide}, .last = last};
    last = l.tile;
    for (unsigned panel = 0; panel * PANEL < left; panel++) project(w, f, &l, panel, left, end);
    for (unsigned panel = left / PANEL; panel * PANEL < end; panel++) {
      factor(w, f, &l, panel);
      if ((panel + 1) * PANEL < end) project(w, f, &l, panel, (panel + 1) * PANEL, end);
    }
  }
  tile_over(x, GRAMSCHMIDT_TILE, f->device_a, PITCH, &last);
  return blocks;
}

/* The host's, in doubles: Q in place of A, by rows. */
static void want(const struct factors *f, double *q, double *r) {
  size_t n = f->columns;
  for (size_t row = 0; row < f->rows; row++)
    for (size_t column = 0; column < n; column++) q[row * n + column] = f->a[row * PITCH + column];
  for (size_t k = 0; k < n; k++) {
    double square = 0;
    for (size_t row = 0; row < f->rows; row++) square += q[row * n + k] * q[row * n + k];
    r[k * n + k] = sqrt(square);
    for (size_t row = 0; row < f->rows; row++) q[row * n + k] /= r[k * n + k];
    for (size_t row = 0; row < f->rows; row++)
      for (size_t column = k + 1; column < n; column++) r[k * n + column] += q[row * n + k] * q[row * n + column];
    for (size_t row = 0; row < f->rows; row++)
      for (size_t column = k + 1; column < n; column++) q[row * n + column] -= q[row * n + k] * r[k * n + column];
  }
}

static void compare(const struct workload *w, const struct factors *f, struct workload_comparison *c) {
  size_t n = f->columns;
  double tolerance = f->rows / 4194304.;
  double *q = workload_alloc(w, f->rows * n * sizeof *q), *r = workload_alloc(w, n * n * sizeof *r);
  want(f, q, r);
  for (size_t column = 0; column < n; column++) {
    double square = 0;
    for (size_t k = 0; k <= column; k++) square += r[k * n + column] * r[k * n + column];
    for (size_t k = 0; k <= column; k++)
      workload_compare(c, k * n + column, f->r[k * PITCH + column], (float)r[k * n + column], tolerance * sqrt(square));
    for (size_t row = 0; row < f->rows; row++)
      workload_compare(c, row * n + column, f->q[(column / PANEL * f->padded + row) * PANEL + column % PANEL],
                       (float)q[row * n + column], tolerance);
  }
  free(q), free(r);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("gramschmidt", argc, argv);
  struct factors f = {.rows = workload_count(&w, "rows"), .columns = (unsigned)workload_value(&w, "columns")};
  unsigned tile = (unsigned)workload_value(&w, "tile");
  if (f.columns > f.rows)
    workload_usage(&w, "columns=%u: more than rows=%u; they would not be independent", f.columns, f.rows);
  prepare(&w, &f, (uint64_t)workload_value(&w, "seed"));
  struct xmem x;
  WORKLOAD_PREPARE(&w, xmemOpen(&x, w.module));
  tile_streams(&x, GRAMSCHMIDT_Q, f.device_q, q_bytes(&f));
  tile_streams(&x, GRAMSCHMIDT_PARTS, f.device_parts, parts_bytes(&f));
  tile_streams(&x, GRAMSCHMIDT_R, f.device_r, r_bytes(&f));
  unsigned tiles = run(&w, &x, &f, tile * UINT64_C(1024));
  workload_download(&w, f.q, f.device_q, q_bytes(&f));
  workload_download(&w, f.r, f.device_r, r_bytes(&f));

  struct workload_comparison comparison = {0};
  compare(&w, &f, &comparison);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "rows=%u columns=%u tile=%u tiles=%u", f.rows, f.columns, tile, tiles);
  workload_close(&w);
  free(f.a), free(f.q), free(f.r);
  return workload_verdict(&w, sizes, &comparison);
}
