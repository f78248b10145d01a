// SPDX-License-Identifier: Apache-2.0
// y = A x, A sparse by rows (CSR), a warp a row: its lanes take the row's elements in turns, values and columns as streams,
// x wherever a column says, and add up by shuffles (Bell and Garland, NVR-2008-004, the vector kernel).
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#define THREADS 256

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(SPMV_ATOMS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
  spmv(unsigned rows, const unsigned *first, const unsigned *column, const float *value, const float *x, float *y) {
  unsigned row = (blockIdx.x * THREADS + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  unsigned end = first[row + 1];
  float sum = 0.f;
  for (unsigned i = first[row] + lane; i < end; i += 32) sum = fmaf(value[i], x[column[i]], sum);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) y[row] = sum;
}
