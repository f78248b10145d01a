/* SPDX-License-Identifier: Apache-2.0 */
/* gemm: C = alpha A B + beta C, compared with sums of whole numbers in doubles, bit for bit: no sum of floats is rounded, in
 * whatever order. */
#include <cuda.h>

#include "gemm_args.h"
#include "gemm_ptx.h"
#include "workload.h"

#include "atoms.h"
#include "tiled_product.h"

XMEM_ATOM_IDS(GEMM_ATOMS);

enum { BITS = 4 }; /* of an input */

int main(int argc, char **argv) {
  struct workload w = workload_arguments("gemm", argc, argv);
  unsigned m = (unsigned)workload_value(&w, "m"), k = (unsigned)workload_value(&w, "k");
  unsigned n = (unsigned)workload_value(&w, "n"), tile = (unsigned)workload_value(&w, "tile");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  float alpha = 1.5f, beta = 0.5f; /* ours: Polybench has beta = 1.2 */
  CUfunction kernel = workload_open(&w, "gemm"), scale = workload_kernel(&w, "scale");
  struct matrix a = matrix_make(&w, m, k, seed, 1, BITS), b = matrix_make(&w, k, n, seed, 2, BITS);
  struct matrix c = matrix_make(&w, m, n, seed, 3, BITS);
  struct xmem x;
  product_check(&w, alpha, &a, &b);
  WORKLOAD_PREPARE(&w, xmemOpen(&x, w.module));
  matrix_streams(&x, GEMM_A, &a), matrix_streams(&x, GEMM_C, &c);

  product_scale(&w, scale, beta, &c);
  unsigned tiles = product_run(&w, &x, &(struct product_run){kernel, GEMM_B, alpha, &a, &b, &c, tile * UINT64_C(1024)});

  product_want(alpha, &a, &b, beta, &c);
  struct workload_comparison comparison = {0};
  matrix_compare(&w, &comparison, &c);
  char sizes[128];
  snprintf(sizes, sizeof sizes, "m=%u k=%u n=%u tile=%u tiles=%u", m, k, n, tile, tiles);
  workload_close(&w);
  matrix_free(&a), matrix_free(&b), matrix_free(&c);
  return workload_verdict(&w, sizes, &comparison);
}
