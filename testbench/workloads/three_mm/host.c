/* SPDX-License-Identifier: Apache-2.0 */
/* three_mm: E = A B, F = C D, G = E F, compared with sums of whole numbers in doubles, bit for bit: no sum of floats is rounded,
 * in whatever order. */
#include <cuda.h>

#include "three_mm_args.h"
#include "three_mm_ptx.h"
#include "workload.h"

#include "atoms.h"
#include "tiled_product.h"

XMEM_ATOM_IDS(THREE_MM_ATOMS);

enum { BITS = 2 }; /* of an input */

int main(int argc, char **argv) {
  struct workload w = workload_arguments("three_mm", argc, argv);
  unsigned ni = (unsigned)workload_value(&w, "ni"), nj = (unsigned)workload_value(&w, "nj");
  unsigned nk = (unsigned)workload_value(&w, "nk"), nl = (unsigned)workload_value(&w, "nl");
  unsigned nm = (unsigned)workload_value(&w, "nm"), tile = (unsigned)workload_value(&w, "tile");
  uint64_t seed = (uint64_t)workload_value(&w, "seed"), bytes = tile * UINT64_C(1024);
  CUfunction kernel = workload_open(&w, "three_mm");
  struct matrix a = matrix_make(&w, ni, nk, seed, 1, BITS), b = matrix_make(&w, nk, nj, seed, 2, BITS);
  struct matrix c = matrix_make(&w, nj, nm, seed, 3, BITS), d = matrix_make(&w, nm, nl, seed, 4, BITS);
  struct matrix e = matrix_make(&w, ni, nj, seed, 5, 0), f = matrix_make(&w, nj, nl, seed, 6, 0);
  struct matrix g = matrix_make(&w, ni, nl, seed, 7, 0);
  struct xmem x;
  WORKLOAD_PREPARE(&w, xmemOpen(&x, w.module));
  matrix_streams(&x, THREE_MM_A, &a), matrix_streams(&x, THREE_MM_C, &c), matrix_streams(&x, THREE_MM_E, &e);
  matrix_streams(&x, THREE_MM_F_SUMS, &f), matrix_streams(&x, THREE_MM_G, &g);

  unsigned tiles = product_run(&w, &x, &(struct product_run){kernel, THREE_MM_B, 1.f, &a, &b, &e, bytes});
  tiles += product_run(&w, &x, &(struct product_run){kernel, THREE_MM_D, 1.f, &c, &d, &f, bytes});
  tiles += product_run(&w, &x, &(struct product_run){kernel, THREE_MM_F, 1.f, &e, &f, &g, bytes});

  product_check(&w, 1, &a, &b);
  product_want(1, &a, &b, 0, &e);
  product_check(&w, 1, &c, &d);
  product_want(1, &c, &d, 0, &f);
  product_check(&w, 1, &e, &f);
  product_want(1, &e, &f, 0, &g);
  struct workload_comparison comparison = {0};
  matrix_compare(&w, &comparison, &g);
  char sizes[128];
  snprintf(sizes, sizeof sizes, "ni=%u nj=%u nk=%u nl=%u nm=%u tile=%u tiles=%u", ni, nj, nk, nl, nm, tile, tiles);
  workload_close(&w);
  matrix_free(&a), matrix_free(&b), matrix_free(&c), matrix_free(&d), matrix_free(&e), matrix_free(&f), matrix_free(&g);
  return workload_verdict(&w, sizes, &comparison);
}
