// SPDX-License-Identifier: Apache-2.0
// Counts the ways to place n queens that do not attack each other. The host places the queens of the
// first rows; a thread completes one such placement by backtracking over bit masks of the free columns, with
// its stack in shared memory (NQ of Bakhoda 2009: CTAs of 96 threads; the masks after Richards 1997). The
// solutions of a CTA are added up in shared memory: 164 bytes a thread in all.
#include "tandem_device.h"

#include "sizes.h"

#define DEPTH 10 // rows that a thread can fill

// Columns taken, and those attacked along each diagonal in the row to come.
struct nqueens_row {
  unsigned columns, left, right;
};

template <unsigned THREADS>
static __device__ __forceinline__ void search(unsigned all, unsigned rows, unsigned starts, const nqueens_row *start,
                                              unsigned *solutions) {
  __shared__ unsigned columns[DEPTH][THREADS], left[DEPTH][THREADS], right[DEPTH][THREADS], open[DEPTH][THREADS];
  __shared__ unsigned sum[THREADS];
  unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t, found = 0;
  if (i < starts) {
    int level = 0;
    nqueens_row r = start[i];
    columns[0][t] = r.columns, left[0][t] = r.left, right[0][t] = r.right;
    open[0][t] = all & ~(r.columns | r.left | r.right);
    while (level >= 0) {
      unsigned free = open[level][t], queen = free & (0u - free);
      if (!free) {
        level--;
        continue;
      }
      open[level][t] = free ^ queen;
      if (level + 1 == (int)rows) {
        found++;
        continue;
      }
      unsigned c = columns[level][t] | queen, l = (left[level][t] | queen) << 1, d = (right[level][t] | queen) >> 1;
      level++;
      columns[level][t] = c, left[level][t] = l, right[level][t] = d;
      open[level][t] = all & ~(c | l | d);
    }
  }
  sum[t] = found;
  unsigned left_over = THREADS;
  while (left_over > 3) {
    unsigned half = (left_over + 1) / 2;
    __syncthreads();
    if (t < left_over - half) sum[t] += sum[t + half];
    left_over = half;
  }
  __syncthreads();
  if (t == 0) solutions[blockIdx.x] = sum[0] + sum[1] + (left_over == 3 ? sum[2] : 0);
}

#define KERNEL(name, THREADS)                                                                           \
  extern "C" __global__ void __launch_bounds__(THREADS)                                                 \
    name(unsigned all, unsigned rows, unsigned starts, const nqueens_row *start, unsigned *solutions) { \
    search<THREADS>(all, rows, starts, start, solutions);                                               \
  }

#if defined(TANDEM_VERSION_BASELINE)
KERNEL(nqueens, 96)
#elif defined(TANDEM_VERSION_SIZED)
#define SIZE(threads) KERNEL(nqueens_##threads, threads)
NQUEENS_SIZES(SIZE)
#else
#error "define TANDEM_VERSION_BASELINE or _SIZED"
#endif
