/* SPDX-License-Identifier: Apache-2.0 */
/* nw: scores of alignment, compared bit for bit with the recurrence by antidiagonals of single cells,
 * of which the host keeps two. The law of the input, fixed before anything was measured on it: letters of DNA are uniform; the second
 * sequence is the first one with one letter in eight drawn anew, as in homologous pieces; equal letters score 5, others -3 or -4. */
#include <cuda.h>

#include "nw_args.h"
#include "nw_ptx.h"
#include "workload.h"

enum { TILE = 16 }; /* as in kernel.cu */

static int of_pair(unsigned a, unsigned b) { return a == b ? 5 : (a ^ b) == 2 ? -3 : -4; }

/* Scores of the cells (i, d - i), from those of the two antidiagonals before. */
static void compare(unsigned n, int penalty, const uint8_t *a, const uint8_t *b, const int *score, int *line[3],
                    struct workload_comparison *c) {
  for (unsigned d = 0; d <= 2 * n; d++) {
    int *now = line[d % 3], *one = line[(d + 2) % 3], *two = line[(d + 1) % 3];
    for (unsigned i = d > n ? d - n : 0; i <= d && i <= n; i++) {
      unsigned j = d - i;
      if (!i || !j) {
        now[i] = -(int)d * penalty;
      } else {
        int best = two[i - 1] + of_pair(a[i - 1], b[j - 1]), up = one[i - 1] - penalty, left = one[i] - penalty;
        best = best > up ? best : up;
        now[i] = best > left ? best : left;
      }
      workload_compare_whole(c, (size_t)i * (n + 1) + j, score[(size_t)i * (n + 1) + j], now[i]);
    }
  }
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("nw", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n"), tiles = n / TILE;
  int penalty = (int)workload_value(&w, "penalty"), similar[16], *line[3];
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  if (n % TILE) workload_usage(&w, "n=%u: a multiple of %d is wanted", n, (int)TILE);
  size_t bytes = (size_t)(n + 1) * (n + 1) * sizeof(int);
  uint8_t *a = workload_alloc(&w, n), *b = workload_alloc(&w, n);
  int *score = workload_alloc(&w, bytes);
  for (unsigned k = 0; k < 3; k++) line[k] = workload_alloc(&w, (n + 1) * sizeof(int));
  for (unsigned i = 0; i < n; i++) {
    a[i] = workload_bits(seed, 1, i) >> 62 & 3;
    b[i] = workload_bits(seed, 2, i) % 8 ? a[i] : workload_bits(seed, 3, i) >> 62 & 3;
    score[i + 1] = score[(size_t)(i + 1) * (n + 1)] = -(int)(i + 1) * penalty;
  }
  for (unsigned i = 0; i < 16; i++) similar[i] = of_pair(i / 4, i % 4);

  CUfunction kernel = workload_open(&w, "nw_diagonal");
  CUdeviceptr d_a = workload_upload(&w, a, n), d_b = workload_upload(&w, b, n);
  CUdeviceptr d_similar = workload_upload(&w, similar, sizeof similar), d_score = workload_upload(&w, score, bytes);
  for (unsigned d = 0; d < 2 * tiles - 1; d++) {
    unsigned first = d < tiles ? 0 : d - tiles + 1, ctas = d < tiles ? d + 1 : 2 * tiles - 1 - d;
    workload_launch(&w, kernel, ctas, TILE, (void *[]){&n, &d, &first, &penalty, &d_a, &d_b, &d_similar, &d_score});
  }
  workload_download(&w, score, d_score, bytes);

  struct workload_comparison comparison = {0};
  compare(n, penalty, a, b, score, line, &comparison);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u penalty=%d", n, penalty);
  workload_close(&w);
  free(a), free(b), free(score), free(line[0]), free(line[1]), free(line[2]);
  return workload_verdict(&w, sizes, &comparison);
}
