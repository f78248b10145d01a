// SPDX-License-Identifier: Apache-2.0
// x1 += A y1 and x2 += A^T y2 as PolyBench's GPU kernels have it (Grauer-Gray 2012): first a thread a row of A, whose warps read
// 32 lines of A at a time, then a thread a column, whose warps read one. Sums are in memory.
#include "ldesc.h"
#include "tandem_device.h"

#include "descriptors.h"

#define THREADS 256

#if defined(TANDEM_VERSION_LDESC)
LDESC_TABLE(MVT_DESCRIPTORS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_LDESC"
#endif

extern "C" __global__ void __launch_bounds__(THREADS) mvt_rows(unsigned n, const float *a, const float *y1, float *x1) {
  unsigned row = blockIdx.x * THREADS + threadIdx.x;
  if (row >= n) return;
  for (unsigned i = 0; i < n; i++) x1[row] += a[(size_t)row * n + i] * y1[i];
}

extern "C" __global__ void __launch_bounds__(THREADS)
  mvt_columns(unsigned n, const float *a, const float *y2, float *x2) {
  unsigned column = blockIdx.x * THREADS + threadIdx.x;
  if (column >= n) return;
  for (unsigned i = 0; i < n; i++) x2[column] += a[(size_t)i * n + column] * y2[i];
}
