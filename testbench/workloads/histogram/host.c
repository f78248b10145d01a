/* SPDX-License-Identifier: Apache-2.0 */
/* histogram: counts of bytes, compared with a plain count. */
#include <cuda.h>

#include "atoms.h"
#include "histogram_args.h"
#include "histogram_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(HISTOGRAM_ATOMS);

enum { THREADS = 192, MERGE_THREADS = 256 }; /* as in kernel.cu */

int main(int argc, char **argv) {
  struct workload w = workload_arguments("histogram", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n"), bins = (unsigned)workload_value(&w, "bins");
  unsigned ctas = (unsigned)workload_value(&w, "ctas"), skew = (unsigned)workload_value(&w, "skew");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  if (bins != 64 && bins != 256) workload_usage(&w, "bins=%u: there are 64 or 256 bins", bins);
  /* The 64-bin version of a thread's own counters; 256 bins take four times the memory a thread. */
  unsigned threads = strcmp(w.version, "thread") ? THREADS : bins == 64 ? 64 : 16;
  size_t bytes = ((size_t)n + 3) / 4 * 4, histogram_bytes = bins * sizeof(uint32_t);
  uint8_t *in = workload_alloc(&w, bytes);
  uint32_t *histogram = workload_alloc(&w, histogram_bytes), *want = workload_alloc(&w, histogram_bytes);
  for (size_t i = 0; i < bytes; i++) {
    uint64_t bits = workload_bits(seed, 1, i);
    in[i] = (unsigned)(bits >> 8) % 100 < skew ? 128 : (uint8_t)bits;
  }

  CUfunction kernel = workload_open(&w, "histogram"), merge = workload_kernel(&w, "histogram_merge");
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_in = workload_upload_atom(&w, &atoms, HISTOGRAM_IN, in, bytes);
  CUdeviceptr partial = workload_upload_atom(&w, &atoms, HISTOGRAM_PARTIAL, NULL, ctas * histogram_bytes);
  CUdeviceptr device_histogram = workload_upload_atom(&w, &atoms, HISTOGRAM_BINS, NULL, histogram_bytes);
  workload_launch(&w, kernel, ctas, threads, (void *[]){&n, &bins, &device_in, &partial});
  workload_launch(&w, merge, bins, MERGE_THREADS, (void *[]){&ctas, &bins, &partial, &device_histogram});
  workload_download(&w, histogram, device_histogram, histogram_bytes);

  for (unsigned i = 0; i < n; i++) want[in[i] * bins / 256]++;
  struct workload_comparison comparison = {0};
  for (unsigned i = 0; i < bins; i++) workload_compare_whole(&comparison, i, histogram[i], want[i]);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u bins=%u", n, bins);
  workload_close(&w);
  free(in), free(histogram), free(want);
  return workload_verdict(&w, sizes, &comparison);
}
