/* SPDX-License-Identifier: Apache-2.0 */
/* histo: counts and saturated counts of all bins, compared with a plain count. Pixels lie about the middle bin, as in
 * Parboil's images: a pixel's bin comes from the sum of four random numbers. */
#include <cuda.h>

#include "descriptors.h"
#include "histo_args.h"
#include "histo_ptx.h"
#include "workload.h"
#include "workload_ldesc.h"

LDESC_IDS(HISTO_DESCRIPTORS);

enum { THREADS = 512, RANGE = 2048 }; /* as in kernel.cu */

static unsigned pixel_of(uint64_t seed, uint64_t i, unsigned bins) {
  uint64_t bits = workload_bits(seed, 1, i), sum = 0;
  for (int k = 0; k < 64; k += 16) sum += bits >> k & 0xffff;
  return (unsigned)(sum * bins >> 18);
}

/* A row: what all CTAs of a row of the grid read at once. */
static void describe(const struct workload *w, const struct ldesc *l, unsigned n, struct workload_shape grid,
                     CUdeviceptr sm_mappings) {
  unsigned width = THREADS * grid.x, rows;
  if (width > n) width = n;
  rows = (n - 1) / width + 1;
  struct workload_shape all = {width, rows, 1}, columns = {THREADS, rows, 1}, down = {1, grid.y, 1};
  workload_describe(w, l, HISTO_LDESC_MAPPINGS, sm_mappings, n * sizeof(uint32_t), workload_tile(all, columns, down),
                    width * 4);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("histo", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n"), bins = (unsigned)workload_value(&w, "bins");
  unsigned ctas = workload_count(&w, "ctas"), ranges = (bins - 1) / RANGE + 1;
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t count_bytes = (size_t)ranges * RANGE * sizeof(unsigned);
  unsigned *pixel = workload_alloc(&w, n * sizeof *pixel), *count = workload_alloc(&w, count_bytes);
  unsigned *want = workload_alloc(&w, bins * sizeof *want);
  unsigned char *histogram = workload_alloc(&w, bins);
  for (unsigned i = 0; i < n; i++) pixel[i] = pixel_of(seed, i, bins);

  CUfunction mappings = workload_open(&w, "histo_mappings"), count_ranges = workload_kernel(&w, "histo_main");
  CUfunction final = workload_kernel(&w, "histo_final");
  CUdeviceptr device_pixel = workload_upload(&w, pixel, n * sizeof *pixel);
  CUdeviceptr sm_mappings = workload_upload(&w, NULL, n * sizeof(uint32_t));
  CUdeviceptr device_count = workload_upload(&w, count, count_bytes);
  CUdeviceptr device_histogram = workload_upload(&w, NULL, bins);
  workload_launch(&w, mappings, (n - 1) / THREADS + 1, THREADS, (void *[]){&n, &device_pixel, &sm_mappings});
  struct ldesc l = workload_ldesc(&w);
  struct workload_shape grid = {ctas, ranges, 1}, block = {THREADS, 1, 1};
  describe(&w, &l, n, grid, sm_mappings);
  workload_launch_shape(&w, count_ranges, grid, block, 0, (void *[]){&n, &sm_mappings, &device_count});
  workload_forget(&w, &l);
  workload_launch(&w, final, (bins - 1) / THREADS + 1, THREADS, (void *[]){&bins, &device_count, &device_histogram});
  workload_download(&w, count, device_count, bins * sizeof *count);
  workload_download(&w, histogram, device_histogram, bins);

  for (unsigned i = 0; i < n; i++) want[pixel[i]]++;
  struct workload_comparison comparison = {0};
  for (unsigned i = 0; i < bins; i++) {
    workload_compare_whole(&comparison, i, count[i], want[i]);
    workload_compare_whole(&comparison, i, histogram[i], want[i] < 255 ? want[i] : 255);
  }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u bins=%u ranges=%u", n, bins, ranges);
  workload_close(&w);
  free(pixel), free(count), free(want), free(histogram);
  return workload_verdict(&w, sizes, &comparison);
}
