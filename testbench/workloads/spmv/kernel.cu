// SPDX-License-Identifier: Apache-2.0
// y = A x, A sparse by rows (CSR), a warp a row: its lanes take the row's elements in turns, values and columns as streams,
// x wherever a column says, and add up by shuffles (Bell and Garland, NVR-2008-004, the vector kernel).
// Version jds is a thread a row on jagged diagonals, as in Parboil (Stratton 2012): rows are sorted by length, and element k
// of all rows stands side by side, so that a warp reads whole lines. The 32 rows of a warp are padded with zeros to the
// length of the longest.
#include "ldesc.h"
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"
#include "descriptors.h"

#define THREADS 256

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(SPMV_ATOMS)
#elif defined(TANDEM_VERSION_LDESC)
LDESC_TABLE(SPMV_DESCRIPTORS)
#elif !defined(TANDEM_VERSION_BASELINE) && !defined(TANDEM_VERSION_JDS)
#error "define TANDEM_VERSION_BASELINE, _JDS, _XMEM or _LDESC"
#endif

#if defined(TANDEM_VERSION_JDS) || defined(TANDEM_VERSION_LDESC)

#define DIAGONALS 2048 // at most

extern "C" {
__constant__ unsigned spmv_diagonal[DIAGONALS]; // where each begins
}

// length: of the rows of each warp; place: where the result of a row goes
extern "C" __global__ void __launch_bounds__(THREADS)
  spmv(unsigned rows, const unsigned *length, const unsigned *place, const unsigned *column, const float *value,
       const float *x, float *y) {
  unsigned row = blockIdx.x * THREADS + threadIdx.x;
  if (row >= rows) return;
  unsigned end = length[row / 32];
  float sum = 0.f;
  for (unsigned k = 0; k < end; k++) {
    unsigned i = spmv_diagonal[k] + row;
    sum = fmaf(value[i], x[column[i]], sum);
  }
  y[place[row]] = sum;
}

#else

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

#endif
