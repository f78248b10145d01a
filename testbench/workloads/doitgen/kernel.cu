// SPDX-License-Identifier: Apache-2.0
// Every plane r of a box A times a matrix C: A[r][q][p] = sum over s of A[r][q][s] C[s][p], PolyBench's doitgen as PolyBench-ACC
// has it for GPUs. A launch a plane, a thread an element, straight from global memory; sums are in memory, and a second
// kernel puts them in the place of the plane.
#include "ldesc.h"
#include "tandem_device.h"

#include "descriptors.h"

#define WIDE 32
#define HIGH 8

#if defined(TANDEM_VERSION_LDESC)
LDESC_TABLE(DOITGEN_DESCRIPTORS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_LDESC"
#endif

extern "C" __global__ void __launch_bounds__(WIDE *HIGH)
  doitgen_product(unsigned nq, unsigned np, unsigned r, const float *a, const float *c, float *sum) {
  unsigned p = blockIdx.x * WIDE + threadIdx.x, q = blockIdx.y * HIGH + threadIdx.y;
  if (p >= np || q >= nq) return;
  size_t row = ((size_t)r * nq + q) * np;
  sum[row + p] = 0.f;
  for (unsigned s = 0; s < np; s++) sum[row + p] += a[row + s] * c[(size_t)s * np + p];
}

extern "C" __global__ void __launch_bounds__(WIDE *HIGH)
  doitgen_replace(unsigned nq, unsigned np, unsigned r, const float *sum, float *a) {
  unsigned p = blockIdx.x * WIDE + threadIdx.x, q = blockIdx.y * HIGH + threadIdx.y;
  if (p >= np || q >= nq) return;
  size_t i = ((size_t)r * nq + q) * np + p;
  a[i] = sum[i];
}
