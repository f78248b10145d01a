/* SPDX-License-Identifier: Apache-2.0 */
/* reduction: a sum modulo 2^32, which no order of additions changes. */
#include <cuda.h>

#include "reduction_args.h"
#include "reduction_ptx.h"
#include "workload.h"

enum { SHUFFLE_CTAS = 120 };

/* CTAs, and so partial sums, of a pass over n elements. */
static unsigned ctas_of(const struct workload *w, unsigned n) {
  unsigned each = (unsigned)(workload_value(w, "threads") * workload_value(w, "each"));
  if (!strcmp(w->version, "first_add")) each *= 2;
  unsigned ctas = (n - 1) / each + 1;
  return !strcmp(w->version, "shuffle") && ctas > SHUFFLE_CTAS ? SHUFFLE_CTAS : ctas;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("reduction", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t bytes = (size_t)n * sizeof(uint32_t);
  uint32_t *in = workload_alloc(&w, bytes), sum = 0, want = 0;
  for (unsigned i = 0; i < n; i++) want += in[i] = (uint32_t)workload_bits(seed, 1, i);

  int sized = workload_sized(&w, "threads each");
  unsigned threads = (unsigned)workload_value(&w, "threads"), each = (unsigned)workload_value(&w, "each");
  CUfunction kernel = workload_open(&w, sized ? "reduction_sized" : "reduction");
  CUdeviceptr from = workload_upload(&w, in, bytes), to[2];
  for (int i = 0; i < 2; i++) to[i] = workload_upload(&w, NULL, (size_t)ctas_of(&w, n) * sizeof(uint32_t));
  for (unsigned left = n, pass = 0;; pass ^= 1) {
    unsigned ctas = ctas_of(&w, left);
    workload_launch_shared(&w, kernel, ctas, threads, sized ? 4 * threads : 0,
                           (void *[]){&left, &from, &to[pass], &each});
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
