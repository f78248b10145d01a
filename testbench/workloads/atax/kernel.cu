// SPDX-License-Identifier: Apache-2.0
// y = A^T (A x) as PolyBench's GPU kernels have it (Grauer-Gray 2012): first a thread a row of A, whose warps read 32 lines of A
// at a time, then a thread a column, whose warps read one. Sums are in memory.
#include "ldesc.h"
#include "tandem_device.h"

#include "descriptors.h"

#define THREADS 256

#if defined(TANDEM_VERSION_LDESC)
LDESC_TABLE(ATAX_DESCRIPTORS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_LDESC"
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
  atax_rows(unsigned rows, unsigned columns, const float *a, const float *x, float *product) {
  unsigned row = blockIdx.x * THREADS + threadIdx.x;
  if (row >= rows) return;
  for (unsigned i = 0; i < columns; i++) product[row] += a[(size_t)row * columns + i] * x[i];
}

extern "C" __global__ void __launch_bounds__(THREADS)
  atax_columns(unsigned rows, unsigned columns, const float *a, const float *product, float *y) {
  unsigned column = blockIdx.x * THREADS + threadIdx.x;
  if (column >= columns) return;
  for (unsigned i = 0; i < rows; i++) y[column] += a[(size_t)i * columns + column] * product[i];
}
