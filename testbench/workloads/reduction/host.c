/* SPDX-License-Identifier: Apache-2.0 */
/* reduction: a sum modulo 2^32, which no order of additions changes. */
#include <cuda.h>

#include "reduction_args.h"
#include "reduction_ptx.h"
#include "workload.h"

enum { THREADS = 256, SHUFFLE_CTAS = 120 }; /* THREADS as in kernel.cu */

/* CTAs, and so partial sums, of a pass over n elements. */
static unsigned ctas_of(const struct workload *w, unsigned n) {
  unsigned each = strcmp(w->version, "first_add") ? THREADS : 2 * THREADS, ctas = (n - 1) / each + 1;
  return !strcmp(w->version, "shuffle") && ctas > SHUFFLE_CTAS ? SHUFFLE_CTAS : ctas;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("reduction", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t bytes = (size_t)n * sizeof(uint32_t);
  uint32_t *in = workload_alloc(&w, bytes), sum = 0, want = 0;
  for (unsigned i = 0; i < n; i++) want += in[i] = (uint32_t)workload_bits(seed, 1, i);

  CUfunction kernel = workload_open(&w, "reduction");
  CUdeviceptr from = workload_upload(&w, in, bytes), to[2];
  for (int i = 0; i < 2; i++) to[i] = workload_upload(&w, NULL, (size_t)ctas_of(&w, n) * sizeof(uint32_t));
  for (unsigned left = n, pass = 0;; pass ^= 1) {
    unsigned ctas = ctas_of(&w, left);
    workload_launch(&w, kernel, ctas, THREADS, (void *[]){&left, &from, &to[pass]});
    left = ctas, from = to[pass];
    if (left == 1) break;
  }
  workload_download(&w, &sum, from, sizeof sum);

  struct workload_comparison comparison = {0};
  workload_compare_whole(&comparison, 0, sum, want);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u", n);
  workload_close(&w);
  free(in);
  return workload_verdict(&w, sizes, &comparison);
}
