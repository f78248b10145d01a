/* SPDX-License-Identifier: Apache-2.0 */
/* jpeg: coefficients and pixels, compared with the definition in double precision: each is a rounded number, so it is at most half
 * away from that, and what float sums below 2048 are off. The law of the input, since images are smooth, their power falling with
 * the square of the frequency (Field 1987): pixels are the sum of seven octaves of noise at lattices of 128, 64, .. 2 pixels, each
 * uniform, half as strong as the one before, and linear between its points. Steps of quantisation are the luminance
 * table of T.81, annex K, scaled by a quality of 1 to 100 as the library of the Independent JPEG Group does. */
#include <cuda.h>

#include "jpeg_args.h"
#include "jpeg_ptx.h"
#include "workload.h"

#include "blocks.h"

enum { OCTAVES = 7, WIDEST = 128 };

static const double TOLERANCE = 0.5 + 0.002;

/* clang-format off */
static const unsigned char luminance[64] = {
  16, 11, 10, 16, 24, 40, 51, 61,
  12, 12, 14, 19, 26, 58, 60, 55,
  14, 13, 16, 24, 40, 57, 69, 56,
  14, 17, 22, 29, 51, 87, 80, 62,
  18, 22, 37, 56, 68, 109, 103, 77,
  24, 35, 55, 64, 81, 104, 113, 92,
  49, 64, 78, 87, 103, 121, 120, 101,
  72, 92, 95, 98, 112, 100, 103, 99,
};
/* clang-format on */

static int lattice(uint64_t seed, unsigned octave, size_t x, size_t y) {
  return workload_whole(seed, 1 + octave, y << 16 | x, 7 - octave); /* -64 .. 63, -32 .. 31, ... */
}

static unsigned char pixel_of(uint64_t seed, size_t x, size_t y) {
  int sum = 128;
  for (unsigned octave = 0; octave < OCTAVES; octave++) {
    size_t side = WIDEST >> octave, i = x / side, j = y / side;
    int n = (int)side, u = (int)(x % side), v = (int)(y % side);
    int above = lattice(seed, octave, i, j) * (n - u) + lattice(seed, octave, i + 1, j) * u;
    int below = lattice(seed, octave, i, j + 1) * (n - u) + lattice(seed, octave, i + 1, j + 1) * u;
    sum += (above * (n - v) + below * v) / (n * n);
  }
  return (unsigned char)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
}

static void make_steps(long long quality, float *steps) {
  long long scale = quality >= 50 ? 200 - 2 * quality : quality > 0 ? 5000 / quality : 5000;
  for (unsigned i = 0; i < 64; i++) {
    long long step = (luminance[i] * scale + 50) / 100;
    steps[i] = (float)(step < 1 ? 1 : step > 255 ? 255 : step);
  }
}

/* ---- the definition ---- */

static double basis_of(unsigned u, unsigned x) { return (u ? 0.5 : sqrt(0.125)) * cos((2 * x + 1) * u * M_PI / 16); }

/* to[u][v] = sum of from[x][y] by both bases, or back. */
static void transform(int back, const double *from, double *to) {
  double half[64];
  for (unsigned i = 0; i < 64; i++) {
    half[i] = 0;
    for (unsigned k = 0; k < 8; k++) half[i] += (back ? basis_of(k, i / 8) : basis_of(i / 8, k)) * from[8 * k + i % 8];
  }
  for (unsigned i = 0; i < 64; i++) {
    to[i] = 0;
    for (unsigned k = 0; k < 8; k++) to[i] += (back ? basis_of(k, i % 8) : basis_of(i % 8, k)) * half[i / 8 * 8 + k];
  }
}

struct image {
  unsigned rows, columns;
  float steps[64];
  unsigned char *in, *out;
  short *coefficients;
};

static size_t pixel_at(const struct image *m, size_t row, size_t column, size_t i) {
  return (row * 8 + i / 8) * m->columns + column * 8 + i % 8;
}

static void compare_block(struct workload_comparison *c, const struct image *m, size_t row, size_t column) {
  double pixel[64], coefficient[64];
  const short *got = m->coefficients + (row * (m->columns / 8) + column) * 64;
  for (size_t i = 0; i < 64; i++) pixel[i] = (double)m->in[pixel_at(m, row, column, i)] - 128;
  transform(0, pixel, coefficient);
  for (size_t i = 0; i < 64; i++)
    workload_compare(c, (size_t)(got - m->coefficients) + i, got[i], (float)(coefficient[i] / m->steps[i]), TOLERANCE);
  for (size_t i = 0; i < 64; i++) coefficient[i] = got[i] * (double)m->steps[i];
  transform(1, coefficient, pixel);
  for (size_t i = 0; i < 64; i++) {
    size_t at = pixel_at(m, row, column, i);
    workload_compare(c, at, m->out[at], (float)fmin(fmax(pixel[i] + 128, 0), 255), TOLERANCE);
  }
}

static void run(struct workload *w, struct image *m) {
  size_t n = (size_t)m->rows * m->columns;
  CUfunction encode = workload_open(w, "jpeg_encode"), decode = workload_kernel(w, "jpeg_decode");
  CUdeviceptr steps, in = workload_upload(w, m->in, n), coefficients = workload_upload(w, NULL, n * sizeof(short));
  CUdeviceptr out = workload_upload(w, NULL, n);
  WORKLOAD_PREPARE(w, cuModuleGetGlobal(&steps, NULL, w->module, "jpeg_steps"));
  WORKLOAD_PREPARE(w, cuMemcpyHtoD(steps, m->steps, sizeof m->steps));
  struct workload_shape grid = {(m->columns - 1) / WIDE + 1, m->rows / 8, 1}, block = {WIDE, 1, 1};
  workload_launch_shape(w, encode, grid, block, 0, (void *[]){&m->columns, &in, &coefficients});
  workload_launch_shape(w, decode, grid, block, 0, (void *[]){&m->columns, &coefficients, &out});
  workload_download(w, m->coefficients, coefficients, n * sizeof(short));
  workload_download(w, m->out, out, n);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("jpeg", argc, argv);
  struct image m = {.rows = (unsigned)workload_value(&w, "rows"), .columns = (unsigned)workload_value(&w, "columns")};
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  if (m.rows % 8 || m.columns % 8) workload_usage(&w, "rows=%u columns=%u: both are multiples of 8", m.rows, m.columns);
  size_t n = (size_t)m.rows * m.columns, zeros = 0;
  m.in = workload_alloc(&w, n), m.out = workload_alloc(&w, n);
  m.coefficients = workload_alloc(&w, n * sizeof(short));
  for (size_t i = 0; i < n; i++) m.in[i] = pixel_of(seed, i % m.columns, i / m.columns);
  make_steps(workload_value(&w, "quality"), m.steps);
  run(&w, &m);

  struct workload_comparison comparison = {0};
  for (size_t row = 0; row < m.rows / 8; row++)
    for (size_t column = 0; column < m.columns / 8; column++) compare_block(&comparison, &m, row, column);
  for (size_t i = 0; i < n; i++) zeros += !m.coefficients[i];
  char sizes[96];
  snprintf(sizes, sizeof sizes, "rows=%u columns=%u zeros=%zu", m.rows, m.columns, zeros);
  workload_close(&w);
  free(m.in), free(m.out), free(m.coefficients);
  return workload_verdict(&w, sizes, &comparison);
}
