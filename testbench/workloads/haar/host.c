/* SPDX-License-Identifier: Apache-2.0 */
/* haar: full decomposition, compared with the pyramid computed in place, level by level, bit for bit:
 * a sum and a product, each rounded once, leave nothing open. */
#include <cuda.h>

#include "haar_args.h"
#include "haar_ptx.h"
#include "workload.h"

enum { THREADS = 512 }; /* as in kernel.cu */

int main(int argc, char **argv) {
  struct workload w = workload_arguments("haar", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  if (n & (n - 1)) workload_usage(&w, "n=%u is not a power of two", n);
  size_t bytes = (size_t)n * sizeof(float);
  float *in = workload_alloc(&w, bytes), *out = workload_alloc(&w, bytes), *half = workload_alloc(&w, bytes);
  for (unsigned i = 0; i < n; i++) in[i] = workload_input(seed, 1, i);

  CUfunction kernel = workload_open(&w, "haar");
  CUdeviceptr from = workload_upload(&w, in, bytes), device_out = workload_upload(&w, NULL, bytes);
  CUdeviceptr left[2] = {workload_upload(&w, NULL, bytes), workload_upload(&w, NULL, bytes)};
  unsigned length = n;
  for (unsigned pass = 0; length > 1; pass ^= 1) {
    unsigned threads = length / 2 < THREADS ? length / 2 : THREADS, ctas = length / (2 * threads);
    workload_launch(&w, kernel, ctas, threads, (void *[]){&length, &from, &device_out, &left[pass]});
    length = ctas, from = left[pass];
  }
  workload_download(&w, out, device_out, bytes);
  workload_download(&w, out, from, sizeof(float)); /* the approximation */

  const float root = 0.707106781f;
  for (unsigned level = n / 2; level > 0; level /= 2) {
    for (unsigned i = 0; i < level; i++) {
      half[i] = (in[2 * i] + in[2 * i + 1]) * root;
      half[level + i] = (in[2 * i] - in[2 * i + 1]) * root;
    }
    memcpy(in, half, 2 * (size_t)level * sizeof(float));
  }
  struct workload_comparison comparison = {0};
  for (unsigned i = 0; i < n; i++) workload_compare(&comparison, i, out[i], in[i], 0);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u", n);
  workload_close(&w);
  free(in), free(out), free(half);
  return workload_verdict(&w, sizes, &comparison);
}
