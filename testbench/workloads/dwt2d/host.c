/* SPDX-License-Identifier: Apache-2.0 */
/* dwt2d: the wavelet transform of an image, compared bit for bit with the same levels computed line by line. A level
 * leaves the smooth quarter of the image to the next one. */
#include <cuda.h>

#include "descriptors.h"
#include "dwt2d_args.h"
#include "dwt2d_ptx.h"
#include "workload.h"
#include "workload_ldesc.h"

LDESC_IDS(DWT2D_DESCRIPTORS);

enum { TILE = 32, HIGH = 8 }; /* as in kernel.cu */

/* Rounded down; a shift of a negative number is left to the compiler. */
static int divided(int a, int b) { return (a >= 0 ? a : a - b + 1) / b; }

/* Sample i of a line of n, mirrored at both ends. */
static int sample(const int *line, int n, int i) {
  if (n == 1) return line[0];
  if (i < 0) i = -i;
  return line[i < n ? i : 2 * (n - 1) - i];
}

/* A line of n samples, `step` apart: smooth ones first, then differences. */
static void transform_line(int *data, size_t step, int n, int *line, int *half) {
  for (int i = 0; i < n; i++) line[i] = data[(size_t)i * step];
  for (int i = 1; i < n; i += 2) line[i] -= divided(sample(line, n, i - 1) + sample(line, n, i + 1), 2);
  for (int i = 0; i < n && n > 1; i += 2) line[i] += divided(sample(line, n, i - 1) + sample(line, n, i + 1) + 2, 4);
  for (int i = 0; i < n; i++) half[i % 2 ? (n + 1) / 2 + i / 2 : i / 2] = line[i];
  for (int i = 0; i < n; i++) data[(size_t)i * step] = half[i];
}

static void expected(const struct workload *w, int rows, int columns, int levels, int *image) {
  size_t longest = (size_t)(rows > columns ? rows : columns), pitch = (size_t)columns;
  int *line = workload_alloc(w, longest * sizeof *line), *half = workload_alloc(w, longest * sizeof *half);
  for (int level = 0; level < levels; level++) {
    for (int x = 0; x < columns; x++) transform_line(image + x, pitch, rows, line, half);
    for (int y = 0; y < rows; y++) transform_line(image + (size_t)y * pitch, 1, columns, line, half);
    rows = (rows + 1) / 2, columns = (columns + 1) / 2;
  }
  free(line), free(half);
}

/* What a level reads: the rows of the grid's tiles. */
static void describe(const struct workload *w, unsigned rows, unsigned pitch, unsigned ctas_x, CUdeviceptr in) {
  struct ldesc l = workload_ldesc(w);
  struct workload_shape all = {pitch, rows, 1}, row = {pitch, TILE, 1}, along = {ctas_x, 1, 1};
  workload_forget(w, &l);
  workload_describe(w, &l, DWT2D_LDESC_IN, in, (size_t)rows * pitch * sizeof(int), workload_tile(all, row, along),
                    pitch * 4);
}

/* All levels; the last one puts its smooth quarter into the result, too. */
static void run(const struct workload *w, CUfunction kernel, int rows, int columns, int levels, const int *image,
                int *got) {
  unsigned out_pitch = (unsigned)columns, pitch = out_pitch, low_pitch = (out_pitch + 1) / 2;
  size_t bytes = (size_t)rows * out_pitch * sizeof *image;
  size_t low_bytes = (size_t)(rows + 1) / 2 * low_pitch * sizeof *image;
  CUdeviceptr in = workload_upload(w, image, bytes), out = workload_upload(w, NULL, bytes);
  CUdeviceptr low[2] = {workload_upload(w, NULL, low_bytes), workload_upload(w, NULL, low_bytes)};
  for (int level = 0; level < levels; level++) {
    int last = level == levels - 1;
    CUdeviceptr to = last ? out : low[level % 2];
    unsigned to_pitch = last ? out_pitch : low_pitch;
    struct workload_shape grid = {(unsigned)(columns - 1) / TILE + 1, (unsigned)(rows - 1) / TILE + 1, 1};
    describe(w, (unsigned)rows, pitch, grid.x, in);
    workload_launch_shape(w, kernel, grid, (struct workload_shape){TILE, HIGH, 1}, 0,
                          (void *[]){&rows, &columns, &pitch, &in, &to_pitch, &to, &out_pitch, &out});
    in = to, pitch = to_pitch;
    rows = (rows + 1) / 2, columns = (columns + 1) / 2;
  }
  workload_download(w, got, out, bytes);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("dwt2d", argc, argv);
  int rows = (int)workload_value(&w, "rows"), columns = (int)workload_value(&w, "columns");
  int levels = (int)workload_value(&w, "levels");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t n = (size_t)rows * (size_t)columns;
  int *image = workload_alloc(&w, n * sizeof *image), *got = workload_alloc(&w, n * sizeof *got);
  for (size_t i = 0; i < n; i++) image[i] = workload_whole(seed, 1, i, 8); /* pixels of 8 bits less 128 */

  run(&w, workload_open(&w, "dwt2d"), rows, columns, levels, image, got);
  expected(&w, rows, columns, levels, image);
  struct workload_comparison comparison = {0};
  for (size_t i = 0; i < n; i++) workload_compare_whole(&comparison, i, got[i], image[i]);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "rows=%d columns=%d levels=%d", rows, columns, levels);
  workload_close(&w);
  free(image), free(got);
  return workload_verdict(&w, sizes, &comparison);
}
