/* SPDX-License-Identifier: Apache-2.0 */
/* tpacf: counts of pairs, compared bit for bit with those of a loop over pairs that tries bin after bin. A cosine is two fused
 * multiply-adds of a product, on both sides. The law of the input, fixed before anything was measured on it: random sets have
 * directions to uniform points of a cube; in the observed set every second point is near the one before it. A bin's limit is
 * 1 - 2^(k - 20) for bin k: angles that grow by the root of two. */
#include <cuda.h>

#include "tpacf_args.h"
#include "tpacf_ptx.h"
#include "workload.h"

enum { BINS = 20 }; /* as in kernel.cu */

/* Set 0 is the observed one. */
static void make_points(uint64_t seed, unsigned points, unsigned sets, float *x, float *y, float *z) {
  for (size_t i = 0; i < (size_t)points * (sets + 1); i++) {
    float v[3], square = 0.f;
    size_t near = i < points ? i & ~(size_t)1 : i;
    for (unsigned k = 0; k < 3; k++) {
      v[k] = workload_input(seed, 1 + k, near);
      if (near != i) v[k] += workload_input(seed, 1 + k, i) / 128.f;
      square += v[k] * v[k];
    }
    if (square < 0x1p-20f) v[0] = square = 1.f, v[1] = v[2] = 0.f;
    float length = sqrtf(square);
    x[i] = v[0] / length, y[i] = v[1] / length, z[i] = v[2] / length;
  }
}

static void count(unsigned points, size_t one, size_t other, const float *x, const float *y, const float *z,
                  const float *limit, unsigned *counts) {
  for (size_t a = one; a < one + points; a++)
    for (size_t b = one == other ? a + 1 : other; b < other + points; b++) {
      float cosine = fmaf(x[a], x[b], fmaf(y[a], y[b], z[a] * z[b]));
      unsigned bin = 0;
      while (bin < BINS && cosine < limit[bin]) bin++;
      counts[bin]++;
    }
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("tpacf", argc, argv);
  unsigned points = (unsigned)workload_value(&w, "points"), sets = (unsigned)workload_value(&w, "sets");
  unsigned threads = (unsigned)workload_value(&w, "threads"), tile = (unsigned)workload_value(&w, "tile");
  unsigned copies = (unsigned)workload_value(&w, "copies"), rows = 1 + 2 * sets;
  size_t n = (size_t)points * (sets + 1), bytes = n * sizeof(float), of_counts = rows * (BINS + 1) * sizeof(unsigned);
  float *x = workload_alloc(&w, bytes), *y = workload_alloc(&w, bytes), *z = workload_alloc(&w, bytes), limit[BINS];
  unsigned *counts = workload_alloc(&w, of_counts), *want = workload_alloc(&w, of_counts);
  make_points((uint64_t)workload_value(&w, "seed"), points, sets, x, y, z);
  for (unsigned k = 0; k < BINS; k++) limit[k] = 1.f - (float)(1u << k) * 0x1p-20f;

  workload_sized(&w, "threads");
  CUfunction kernel = workload_open(&w, "tpacf");
  CUdeviceptr d_x = workload_upload(&w, x, bytes), d_y = workload_upload(&w, y, bytes);
  CUdeviceptr d_z = workload_upload(&w, z, bytes), d_limit = workload_upload(&w, limit, sizeof limit);
  CUdeviceptr d_counts = workload_upload(&w, counts, of_counts);
  struct workload_shape grid = {(points - 1) / threads + 1, rows, 1}, block = {threads, 1, 1};
  workload_launch_shape(&w, kernel, grid, block, 12 * tile + 4 * copies * (BINS + 1),
                        (void *[]){&points, &sets, &tile, &copies, &d_x, &d_y, &d_z, &d_limit, &d_counts});
  workload_download(&w, counts, d_counts, of_counts);

  struct workload_comparison comparison = {0};
  for (unsigned r = 0; r < rows; r++) {
    size_t one = r <= sets ? r : 0, other = r <= sets ? r : r - sets;
    count(points, one * points, other * points, x, y, z, limit, want + r * (BINS + 1));
  }
  for (unsigned i = 0; i < rows * (BINS + 1); i++) workload_compare_whole(&comparison, i, counts[i], want[i]);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "points=%u sets=%u", points, sets);
  workload_close(&w);
  free(x), free(y), free(z), free(counts), free(want);
  return workload_verdict(&w, sizes, &comparison);
}
