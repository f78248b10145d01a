/* SPDX-License-Identifier: Apache-2.0 */
/* tone: a function of each pixel; whole numbers, compared bit for bit. */
#include <cuda.h>

#include "tone_args.h"
#include "tone_ptx.h"
#include "workload.h"

enum { THREADS = 256 }; /* as in kernel.cu */

static unsigned tone(unsigned v, unsigned rounds) {
  for (unsigned k = 0; k < rounds; k++) v = (v ^ v >> 15) * 0x2c1b3c6du + k;
  return v;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("tone", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n"), rounds = (unsigned)workload_value(&w, "rounds");
  unsigned ctas = (unsigned)workload_value(&w, "ctas"), levels = (unsigned)workload_value(&w, "levels");
  unsigned urgent = (unsigned)workload_value(&w, "urgent");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t bytes = (size_t)n * sizeof(unsigned);
  unsigned *x = workload_alloc(&w, bytes), *y = workload_alloc(&w, bytes);
  for (unsigned i = 0; i < n; i++) x[i] = (unsigned)(workload_bits(seed, 1, i) % levels);

  CUfunction kernel = workload_open(&w, "tones");
  CUdeviceptr device_x = workload_upload(&w, x, bytes), device_y = workload_upload(&w, NULL, bytes);
  workload_launch(&w, kernel, ctas, THREADS, (void *[]){&n, &rounds, &urgent, &device_x, &device_y});
  workload_download(&w, y, device_y, bytes);

  struct workload_comparison comparison = {0};
  for (unsigned i = 0; i < n; i++) workload_compare_whole(&comparison, i, y[i], tone(x[i], rounds));
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u levels=%u", n, levels);
  workload_close(&w);
  free(x), free(y);
  return workload_verdict(&w, sizes, &comparison);
}
