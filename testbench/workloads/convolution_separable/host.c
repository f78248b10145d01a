/* SPDX-License-Identifier: Apache-2.0 */
/* convolution_separable: compared bit for bit with the sum over the square of the filter, in whole numbers. The law of the input, that
 * of the SDK's program: elements of image and filter are uniform in the whole numbers 0 .. 15, as floats. No sum reaches 2^24. */
#include <cuda.h>

#include "convolution_separable_args.h"
#include "convolution_separable_ptx.h"
#include "workload.h"

#include "filter.h"

/* By columns first: each element of `half` is a sum over rows of the image. */
static void convolve(const struct workload *w, unsigned rows, unsigned columns, const float *filter, const float *in,
                     int64_t *out) {
  int64_t *half = workload_alloc(w, (size_t)rows * columns * sizeof *half);
  for (int row = 0; row < (int)rows; row++)
    for (int k = -RADIUS; k <= RADIUS; k++) {
      if (row + k < 0 || row + k >= (int)rows) continue;
      for (size_t c = 0; c < columns; c++)
        half[(size_t)row * columns + c] += (int64_t)in[(size_t)(row + k) * columns + c] * (int64_t)filter[RADIUS - k];
    }
  for (size_t row = 0; row < rows; row++)
    for (int c = 0; c < (int)columns; c++)
      for (int k = -RADIUS; k <= RADIUS; k++)
        if (c + k >= 0 && c + k < (int)columns)
          out[row * columns + (size_t)c] += half[row * columns + (size_t)(c + k)] * (int64_t)filter[RADIUS - k];
  free(half);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("convolution_separable", argc, argv);
  unsigned rows = (unsigned)workload_value(&w, "rows"), columns = (unsigned)workload_value(&w, "columns");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  if (columns % (STEPS * ROWS_X) || rows % (STEPS * COLUMNS_Y))
    workload_usage(&w, "rows=%u columns=%u: multiples of %u and %u are wanted", rows, columns, STEPS * COLUMNS_Y,
                   STEPS * ROWS_X);
  size_t n = (size_t)rows * columns, bytes = n * sizeof(float);
  float *in = workload_alloc(&w, bytes), *out = workload_alloc(&w, bytes), filter[TAPS];
  for (size_t i = 0; i < n; i++) in[i] = (float)(workload_bits(seed, 1, i) % 16);
  for (unsigned k = 0; k < TAPS; k++) filter[k] = (float)(workload_bits(seed, 2, k) % 16);

  CUfunction by_rows = workload_open(&w, "separable_rows"), by_columns = workload_kernel(&w, "separable_columns");
  CUdeviceptr constant, d_in = workload_upload(&w, in, bytes), half = workload_upload(&w, NULL, bytes);
  CUdeviceptr d_out = workload_upload(&w, NULL, bytes);
  WORKLOAD_PREPARE(&w, cuModuleGetGlobal(&constant, NULL, w.module, "separable_filter"));
  WORKLOAD_PREPARE(&w, cuMemcpyHtoD(constant, filter, sizeof filter));
  workload_launch_shape(&w, by_rows, (struct workload_shape){columns / (STEPS * ROWS_X), rows / ROWS_Y, 1},
                        (struct workload_shape){ROWS_X, ROWS_Y, 1}, 0, (void *[]){&columns, &d_in, &half});
  workload_launch_shape(&w, by_columns, (struct workload_shape){columns / COLUMNS_X, rows / (STEPS * COLUMNS_Y), 1},
                        (struct workload_shape){COLUMNS_X, COLUMNS_Y, 1}, 0,
                        (void *[]){&rows, &columns, &half, &d_out});
  workload_download(&w, out, d_out, bytes);

  int64_t *want = workload_alloc(&w, n * sizeof *want);
  convolve(&w, rows, columns, filter, in, want);
  struct workload_comparison comparison = {0};
  for (size_t i = 0; i < n; i++) workload_compare(&comparison, i, out[i], (float)want[i], 0);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "rows=%u columns=%u", rows, columns);
  workload_close(&w);
  free(in), free(out), free(want);
  return workload_verdict(&w, sizes, &comparison);
}
