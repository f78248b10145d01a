/* SPDX-License-Identifier: Apache-2.0 */
/* two_mm: tmp = alpha A B, D = tmp C + beta D, compared with sums of whole numbers in doubles, bit for bit: no sum of floats is
 * rounded, in whatever order. */
#include <cuda.h>

#include "two_mm_args.h"
#include "two_mm_ptx.h"
#include "workload.h"

#include "atoms.h"
#include "tiled_product.h"

XMEM_ATOM_IDS(TWO_MM_ATOMS);

enum { BITS = 2 }; /* of an input */

int main(int argc, char **argv) {
  struct workload w = workload_arguments("two_mm", argc, argv);
  unsigned ni = (unsigned)workload_value(&w, "ni"), nj = (unsigned)workload_value(&w, "nj");
  unsigned nk = (unsigned)workload_value(&w, "nk"), nl = (unsigned)workload_value(&w, "nl");
  unsigned tile = (unsigned)workload_value(&w, "tile");
  uint64_t seed = (uint64_t)workload_value(&w, "seed"), bytes = tile * UINT64_C(1024);
  float alpha = 1.5f, beta = 0.5f; /* ours: Polybench has beta = 1.2 */
  CUfunction kernel = workload_open(&w, "two_mm"), scale = workload_kernel(&w, "scale");
  struct matrix a = matrix_make(&w, ni, nk, seed, 1, BITS), b = matrix_make(&w, nk, nj, seed, 2, BITS);
  struct matrix c = matrix_make(&w, nj, nl, seed, 3, BITS), d = matrix_make(&w, ni, nl, seed, 4, BITS);
  struct matrix tmp = matrix_make(&w, ni, nj, seed, 5, 0);
  struct xmem x;
  WORKLOAD_PREPARE(&w, xmemOpen(&x, w.module));
  matrix_streams(&x, TWO_MM_A, &a), matrix_streams(&x, TWO_MM_TMP, &tmp), matrix_streams(&x, TWO_MM_D, &d);

  unsigned tiles = product_run(&w, &x, &(struct product_run){kernel, TWO_MM_B, alpha, &a, &b, &tmp, bytes});
  product_scale(&w, scale, beta, &d);
  tiles += product_run(&w, &x, &(struct product_run){kernel, TWO_MM_C, 1.f, &tmp, &c, &d, bytes});

  product_check(&w, alpha, &a, &b);
  product_want(alpha, &a, &b, 0, &tmp);
  product_check(&w, 1, &tmp, &c);
  product_want(1, &tmp, &c, beta, &d);
  struct workload_comparison comparison = {0};
  matrix_compare(&w, &comparison, &d);
  char sizes[128];
  snprintf(sizes, sizeof sizes, "ni=%u nj=%u nk=%u nl=%u tile=%u tiles=%u", ni, nj, nk, nl, tile, tiles);
  workload_close(&w);
  matrix_free(&a), matrix_free(&b), matrix_free(&c), matrix_free(&d), matrix_free(&tmp);
  return workload_verdict(&w, sizes, &comparison);
}
