// SPDX-License-Identifier: Apache-2.0
// C = alpha A A^T + beta C, all of C and not a triangle, a thread an element, as PolyBench's GPU kernel has it (Grauer-Gray
// 2012): straight from global memory. The threads of a warp read the same element of one row of A, and each an element of
// a row of its own: 32 lines, which the next elements are in, too. A sum is in memory.
#include "ldesc.h"
#include "tandem_device.h"

#include "descriptors.h"

#define WIDE 32
#define HIGH 8

#if defined(TANDEM_VERSION_LDESC)
LDESC_TABLE(SYRK_PLAIN_DESCRIPTORS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_LDESC"
#endif

extern "C" __global__ void __launch_bounds__(WIDE *HIGH)
  syrk_plain(unsigned n, unsigned m, float alpha, float beta, const float *a, float *c) {
  unsigned column = blockIdx.x * WIDE + threadIdx.x, row = blockIdx.y * HIGH + threadIdx.y;
  if (row >= n || column >= n) return;
  size_t sum = (size_t)row * n + column;
  c[sum] *= beta;
  for (unsigned i = 0; i < m; i++) c[sum] += alpha * a[(size_t)row * m + i] * a[(size_t)column * m + i];
}
