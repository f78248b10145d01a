/* SPDX-License-Identifier: Apache-2.0 */
/* bitonic_sort: the keys are compared with a sort by the C library; every value, its pair's first
 * place, occurs once and leads to its key. */
#include <cuda.h>

#include "bitonic_sort_args.h"
#include "bitonic_sort_ptx.h"
#include "workload.h"

enum { PART = 1024, GLOBAL_THREADS = 256 }; /* as in kernel.cu */

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void sort(const struct workload *w, CUfunction shared, unsigned n, CUdeviceptr keys, CUdeviceptr values) {
  CUfunction global = workload_kernel(w, "bitonic_global");
  unsigned part = n < PART ? n : PART, length = 2, first = 1;
  workload_launch(w, shared, n / part, part / 2, (void *[]){&length, &part, &first, &keys, &values});
  for (length = 2 * part; length <= n; length *= 2) {
    unsigned stride = length / 2;
    for (; stride >= part; stride /= 2)
      workload_launch(w, global, n / (2 * GLOBAL_THREADS), GLOBAL_THREADS,
                      (void *[]){&length, &stride, &keys, &values});
    workload_launch(w, shared, n / part, part / 2, (void *[]){&length, &length, &stride, &keys, &values});
  }
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("bitonic_sort", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n");
  uint64_t seed = (uint64_t)workload_value(&w, "seed"), mask = (uint64_t)workload_value(&w, "mask");
  if (n & (n - 1)) workload_usage(&w, "n=%u is not a power of two", n);
  size_t bytes = (size_t)n * sizeof(uint32_t);
  uint32_t *in = workload_alloc(&w, bytes), *keys = workload_alloc(&w, bytes), *values = workload_alloc(&w, bytes);
  uint32_t *want = workload_alloc(&w, bytes), *uses = workload_alloc(&w, bytes);
  for (unsigned i = 0; i < n; i++) {
    want[i] = in[i] = (uint32_t)(workload_bits(seed, 1, i) & mask);
    values[i] = i;
  }

  CUfunction shared = workload_open(&w, "bitonic_shared");
  CUdeviceptr device_keys = workload_upload(&w, in, bytes), device_values = workload_upload(&w, values, bytes);
  sort(&w, shared, n, device_keys, device_values);
  workload_download(&w, keys, device_keys, bytes);
  workload_download(&w, values, device_values, bytes);

  struct workload_comparison comparison = {0};
  qsort(want, n, sizeof *want, ascending);
  for (unsigned i = 0; i < n; i++) {
    workload_compare_whole(&comparison, i, keys[i], want[i]);
    int right = values[i] < n && !uses[values[i]]++ && in[values[i]] == keys[i];
    workload_compare_whole(&comparison, i, right, 1);
  }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u", n);
  workload_close(&w);
  free(in), free(keys), free(values), free(want), free(uses);
  return workload_verdict(&w, sizes, &comparison);
}
