/* SPDX-License-Identifier: Apache-2.0 */
/* fwt: the transform of small whole numbers, exact in floats, compared with a transform of integers
 * that takes the levels in the other order and with the definition at some places; or the dyadic
 * convolution by three transforms, compared with its definition. */
#include <cuda.h>

#include "fwt_args.h"
#include "fwt_ptx.h"
#include "workload.h"

enum { THREADS = 256, SHARED_LOG2 = 11, PLACES = 32 }; /* as in kernel.cu; PLACES ours */

/* `batch` transforms of 2^log2n elements each, one after the other. */
static void transform(const struct workload *w, CUfunction global, CUfunction shared, unsigned log2n, unsigned batch,
                      CUdeviceptr data) {
  unsigned n = batch << log2n, quarter = n / 4, left = log2n;
  for (; left > SHARED_LOG2; left -= 2) {
    unsigned stride = 1u << (left - 2);
    workload_launch(w, global, (quarter - 1) / THREADS + 1, THREADS, (void *[]){&quarter, &stride, &data});
  }
  workload_launch(w, shared, n >> left, 1u << (left - 2), (void *[]){&data});
}

static void compare_transform(unsigned n, size_t from, const float *in, const float *got, int64_t *want,
                              struct workload_comparison *c) {
  for (unsigned i = 0; i < n; i++) want[i] = (int64_t)in[i];
  for (unsigned distance = 1; distance < n; distance *= 2)
    for (unsigned i = 0; i < n; i++) {
      if (i & distance) continue;
      int64_t a = want[i], b = want[i + distance];
      want[i] = a + b, want[i + distance] = a - b;
    }
  for (unsigned i = 0; i < n; i++) workload_compare(c, from + i, got[i], (float)want[i], 0);
  for (unsigned place = 0; place < PLACES && place < n; place++) {
    unsigned u = (unsigned)((uint64_t)place * 2654435761u) & (n - 1);
    int64_t sum = 0;
    for (unsigned i = 0; i < n; i++) sum += __builtin_parity(u & i) ? -(int64_t)in[i] : (int64_t)in[i];
    workload_compare(c, from + u, got[u], (float)sum, 0);
  }
}

/* z[i] = sum over j of kernel[j] data[i ^ j]. A level of a transform keeps the norm but for a factor and
 * rounds once: for each, 2^-24 of the largest root mean square of the sums is allowed. */
static void compare_convolution(unsigned log2n, unsigned terms, const float *data, const float *kernel,
                                const float *got, struct workload_comparison *c) {
  double tolerance = (3 * log2n + 2) * sqrt(terms) / (1 << 24);
  for (unsigned i = 0; i < 1u << log2n; i++) {
    double sum = 0;
    for (unsigned j = 0; j < terms; j++) sum += (double)kernel[j] * data[i ^ j];
    workload_compare(c, i, got[i], (float)sum, tolerance);
  }
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("fwt", argc, argv);
  unsigned log2n = (unsigned)workload_value(&w, "log2n"), log2k = (unsigned)workload_value(&w, "log2k");
  unsigned batch = (unsigned)workload_value(&w, "batch");
  int convolution = (int)workload_value(&w, "convolution");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  if (log2k > log2n) log2k = log2n;
  if (batch > 1 && (convolution || batch << log2n > 1u << 24))
    workload_usage(&w, "batch=%u: for transforms alone (convolution=0), of 2^24 elements together", batch);
  unsigned n = batch << log2n, terms = 1u << log2k, bits = log2n <= 20 ? 5 : 25 - log2n;
  size_t bytes = (size_t)n * sizeof(float);
  float *data = workload_alloc(&w, bytes), *kernel = workload_alloc(&w, bytes), *got = workload_alloc(&w, bytes);
  int64_t *want = workload_alloc(&w, n * sizeof(int64_t));
  for (unsigned i = 0; i < n; i++)
    data[i] = convolution ? workload_input(seed, 1, i) : (float)workload_whole(seed, 1, i, bits);
  for (unsigned i = 0; i < terms; i++) kernel[i] = workload_input(seed, 2, i);

  CUfunction shared = workload_open(&w, "fwt_shared"), global = workload_kernel(&w, "fwt_global");
  CUdeviceptr device_data = workload_upload(&w, data, bytes);
  transform(&w, global, shared, log2n, batch, device_data);
  if (convolution) {
    CUdeviceptr device_kernel = workload_upload(&w, kernel, bytes);
    transform(&w, global, shared, log2n, 1, device_kernel);
    float scale = 1.f / (float)n;
    unsigned ctas = (n - 1) / (4 * THREADS) + 1;
    workload_launch(&w, workload_kernel(&w, "fwt_multiply"), ctas, THREADS,
                    (void *[]){&n, &scale, &device_data, &device_kernel});
    transform(&w, global, shared, log2n, batch, device_data);
  }
  workload_download(&w, got, device_data, bytes);

  struct workload_comparison comparison = {0};
  if (convolution) compare_convolution(log2n, terms, data, kernel, got, &comparison);
  for (size_t from = 0; !convolution && from < n; from += (size_t)1 << log2n)
    compare_transform(1u << log2n, from, data + from, got + from, want, &comparison);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "log2n=%u batch=%u convolution=%d", log2n, batch, convolution);
  workload_close(&w);
  free(data), free(kernel), free(got), free(want);
  return workload_verdict(&w, sizes, &comparison);
}
