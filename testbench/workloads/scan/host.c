/* SPDX-License-Identifier: Apache-2.0 */
/* scan: exclusive prefix sums modulo 2^32, compared with a running sum. */
#include <cuda.h>

#include "scan_args.h"
#include "scan_ptx.h"
#include "workload.h"

enum { LEVELS = 6 }; /* the smallest block to the fourth power is beyond the largest n */

int main(int argc, char **argv) {
  struct workload w = workload_arguments("scan", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t bytes = (size_t)n * sizeof(uint32_t);
  uint32_t *in = workload_alloc(&w, bytes), *out = workload_alloc(&w, bytes);
  for (unsigned i = 0; i < n; i++) in[i] = (uint32_t)workload_bits(seed, 1, i);

  int sized = workload_sized(&w, "threads block");
  unsigned threads = (unsigned)workload_value(&w, "threads"), block = (unsigned)workload_value(&w, "block");
  if (block & (block - 1)) workload_usage(&w, "block=%u: a power of two is wanted", block);
  CUfunction scan = workload_open(&w, sized ? "scan_sized" : "scan");
  CUfunction add = workload_kernel(&w, sized ? "scan_add_sized" : "scan_add");
  /* level 0 is the input; level l + 1 holds the sums of level l's blocks, scanned in place */
  unsigned count[LEVELS] = {n}, levels = 0;
  CUdeviceptr device_in = workload_upload(&w, in, bytes), level[LEVELS] = {workload_upload(&w, NULL, bytes)};
  for (;; levels++) {
    unsigned blocks = (count[levels] - 1) / block + 1;
    count[levels + 1] = blocks;
    level[levels + 1] = workload_upload(&w, NULL, (size_t)blocks * sizeof(uint32_t));
    workload_launch_shared(
      &w, scan, blocks, threads, sized ? 4 * block : 0,
      (void *[]){&count[levels], levels ? &level[levels] : &device_in, &level[levels], &level[levels + 1], &block});
    if (blocks == 1) break;
  }
  while (levels-- > 0)
    workload_launch(&w, add, count[levels + 1], threads,
                    (void *[]){&count[levels], &level[levels + 1], &level[levels], &block});
  workload_download(&w, out, level[0], bytes);

  struct workload_comparison comparison = {0};
  uint32_t sum = 0;
  for (unsigned i = 0; i < n; sum += in[i++]) workload_compare_whole(&comparison, i, out[i], sum);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u", n);
  workload_close(&w);
  free(in), free(out);
  return workload_verdict(&w, sizes, &comparison);
}
