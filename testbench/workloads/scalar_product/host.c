/* SPDX-License-Identifier: Apache-2.0 */
/* scalar_product: sums of products, compared with sums of whole numbers. */
#include <cuda.h>

#include "atoms.h"
#include "descriptors.h"
#include "scalar_product_args.h"
#include "scalar_product_ptx.h"
#include "workload.h"
#include "workload_atoms.h"
#include "workload_ldesc.h"

XMEM_ATOM_IDS(SCALAR_PRODUCT_ATOMS);
LDESC_IDS(SCALAR_PRODUCT_DESCRIPTORS);

/* A row: the vectors that the CTAs of the grid read at once. */
static void describe(const struct workload *w, CUdeviceptr a, CUdeviceptr b, CUdeviceptr c) {
  struct ldesc l = workload_ldesc(w);
  unsigned vectors = (unsigned)workload_value(w, "vectors"), elements = (unsigned)workload_value(w, "elements");
  unsigned ctas = (unsigned)workload_value(w, "ctas");
  if (ctas > vectors) ctas = vectors;
  unsigned rows = (vectors - 1) / ctas + 1;
  size_t bytes = (size_t)vectors * elements * sizeof(float);
  struct workload_shape one = {1, 1, 1};
  struct ldesc_tile own =
    workload_tile((struct workload_shape){elements * ctas, rows, 1}, (struct workload_shape){elements, rows, 1}, one);
  workload_describe(w, &l, SCALAR_PRODUCT_LDESC_A, a, bytes, own, 0);
  workload_describe(w, &l, SCALAR_PRODUCT_LDESC_B, b, bytes, own, 0);
  workload_describe(w, &l, SCALAR_PRODUCT_LDESC_C, c, vectors * sizeof(float),
                    workload_tile((struct workload_shape){ctas, rows, 1}, (struct workload_shape){1, rows, 1}, one), 0);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("scalar_product", argc, argv);
  unsigned vectors = (unsigned)workload_value(&w, "vectors"), elements = (unsigned)workload_value(&w, "elements");
  unsigned ctas = (unsigned)workload_value(&w, "ctas");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t n = (size_t)vectors * elements, bytes = n * sizeof(float), c_bytes = vectors * sizeof(float);
  float *a = workload_alloc(&w, bytes), *b = workload_alloc(&w, bytes), *c = workload_alloc(&w, c_bytes);
  /* Multiples of 1/16 in [-1, 1): a product is a multiple of 2^-8, and 65536 of them stay below
   * 2^16, so that every float sum is exact in any order. */
  for (size_t i = 0; i < n; i++) {
    a[i] = (float)workload_whole(seed, 1, i, 5) / 16.f;
    b[i] = (float)workload_whole(seed, 2, i, 5) / 16.f;
  }

  int sized = workload_sized(&w, "threads accumulators");
  unsigned threads = (unsigned)workload_value(&w, "threads");
  unsigned accumulators = (unsigned)workload_value(&w, "accumulators");
  if (accumulators & (accumulators - 1)) workload_usage(&w, "accumulators=%u: a power of two is wanted", accumulators);
  CUfunction kernel = workload_open(&w, sized ? "scalar_product_sized" : "scalar_product");
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_a = workload_upload_atom(&w, &atoms, SCALAR_PRODUCT_A, a, bytes);
  CUdeviceptr device_b = workload_upload_atom(&w, &atoms, SCALAR_PRODUCT_B, b, bytes);
  CUdeviceptr device_c = workload_upload_atom(&w, &atoms, SCALAR_PRODUCT_C, NULL, c_bytes);
  describe(&w, device_a, device_b, device_c);
  workload_launch_shared(&w, kernel, ctas, threads, sized ? 4 * accumulators : 0,
                         (void *[]){&vectors, &elements, &device_a, &device_b, &device_c, &accumulators});
  workload_download(&w, c, device_c, c_bytes);

  struct workload_comparison comparison = {0};
  for (unsigned v = 0; v < vectors; v++) {
    int64_t want = 0;
    for (size_t i = (size_t)v * elements; i < (size_t)(v + 1) * elements; i++)
      want += workload_whole(seed, 1, i, 5) * workload_whole(seed, 2, i, 5);
    workload_compare(&comparison, v, c[v], (float)want / 256.f, 0);
  }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "vectors=%u elements=%u", vectors, elements);
  workload_close(&w);
  free(a), free(b), free(c);
  return workload_verdict(&w, sizes, &comparison);
}
