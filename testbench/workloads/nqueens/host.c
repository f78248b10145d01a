/* SPDX-License-Identifier: Apache-2.0 */
/* nqueens: the number of solutions, compared with the known ones (OEIS A000170). */
#include <cuda.h>

#include "nqueens_args.h"
#include "nqueens_ptx.h"
#include "sizes.h"
#include "workload.h"

enum { DEPTH = 10 }; /* as in kernel.cu */

struct row { /* struct nqueens_row of kernel.cu */
  uint32_t columns, left, right;
};

/* Number of ways to fill `rows` rows; those are stored if `list` is not NULL. */
static unsigned place(uint32_t all, unsigned rows, struct row r, struct row *list) {
  if (!rows) {
    if (list) *list = r;
    return 1;
  }
  unsigned n = 0;
  for (uint32_t queen = 1; queen <= all; queen <<= 1)
    if (!(queen & (r.columns | r.left | r.right))) {
      struct row next = {r.columns | queen, (r.left | queen) << 1, (r.right | queen) >> 1};
      n += place(all, rows - 1, next, list ? list + n : NULL);
    }
  return n;
}

static CUfunction open_kernel(struct workload *w, unsigned threads) {
#define SIZE(n) \
  if (threads == (n)) return workload_open(w, "nqueens_" #n);
  if (!workload_sized(w, "threads")) return workload_open(w, "nqueens");
  NQUEENS_SIZES(SIZE)
  workload_usage(w, "threads=%u: there is no kernel of that size", threads);
}

int main(int argc, char **argv) {
  static const unsigned known[] = {1,   1,   0,    0,     2,     10,     4,       40,      92,
                                   352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};
  struct workload w = workload_arguments("nqueens", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n"), host_rows = (unsigned)workload_value(&w, "host_rows");
  if (host_rows >= n) host_rows = n - 1;
  unsigned rows = n - host_rows, threads = (unsigned)workload_value(&w, "threads");
  if (rows > DEPTH) workload_usage(&w, "host_rows=%u: n=%u needs at least %u", host_rows, n, n - DEPTH);
  uint32_t all = (UINT32_C(1) << n) - 1;
  unsigned starts = place(all, host_rows, (struct row){0}, NULL);
  /* small boards can have no placement of the first rows at all */
  unsigned ctas = starts ? (starts - 1) / threads + 1 : 1;
  struct row *start = workload_alloc(&w, (starts ? starts : 1) * sizeof *start);
  unsigned *solutions = workload_alloc(&w, ctas * sizeof *solutions);
  place(all, host_rows, (struct row){0}, start);

  CUfunction kernel = open_kernel(&w, threads);
  CUdeviceptr device_start = workload_upload(&w, start, (starts ? starts : 1) * sizeof *start);
  CUdeviceptr device_solutions = workload_upload(&w, NULL, ctas * sizeof *solutions);
  workload_launch(&w, kernel, ctas, threads, (void *[]){&all, &rows, &starts, &device_start, &device_solutions});
  workload_download(&w, solutions, device_solutions, ctas * sizeof *solutions);

  int64_t sum = 0;
  for (unsigned i = 0; i < ctas; i++) sum += solutions[i];
  struct workload_comparison comparison = {0};
  workload_compare_whole(&comparison, n, sum, known[n]);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "n=%u host_rows=%u ctas=%u solutions=%lld", n, host_rows, ctas, (long long)sum);
  workload_close(&w);
  free(start), free(solutions);
  return workload_verdict(&w, sizes, &comparison);
}
