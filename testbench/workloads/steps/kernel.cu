// SPDX-License-Identifier: Apache-2.0
// Each warp walks down the rows of a matrix, in its own 32 columns, one load after the other: row after row, or in another order.
// Version caba: an assist warp learns the stride of each warp's load and prefetches two strides ahead (Vijaykumar 2019, 5.5.2, a sketch;
// assumption: the routine).
#include "caba.h"

#define THREADS 64
#define GLOBAL const __attribute__((address_space(1))) unsigned // the mark has the register that the load has

#if defined(TANDEM_VERSION_CABA)
// Of the address of each lane: the last one, the stride, and how often the stride was the same in a row.
CABA_ROUTINES(R"(
.entry stride .attribute(.event(mark), .encoding(0), .priority(low), .live_in(2), .kept(3))
{
  .reg .b32 %last, %stride, %sure;
  .reg .b32 %now, %to<2>, %step, %sign;
  .reg .pred %same, %often;
  move.in.b32 %to0, 0;
  move.in.b32 %to1, 1;
  sub.u32 %step, %to0, %last;
  setp.eq.u32 %same, %step, %stride;
  add.u32 %sure, %sure, 1;
  @!%same mov.b32 %sure, 0;
  setp.ge.u32 %often, %sure, 2;
  mov.b32 %stride, %step;
  mov.b32 %last, %to0;
  shl.b32 %step, %step, 1;
  shr.s32 %sign, %step, 31;
  add.cc.u32 %to0, %to0, %step;
  addc.u32 %to1, %to1, %sign;
  @%often prefetch.l1 {%to0, %to1};
  end;
}
)");
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_CABA"
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
  steps(unsigned rows, unsigned shuffled, const unsigned *x, unsigned *y) {
  unsigned columns = gridDim.x * THREADS, column = blockIdx.x * THREADS + threadIdx.x, sum = 0, row = 0;
  GLOBAL *from = (GLOBAL *)x;
#pragma unroll 1
  for (unsigned k = 0; k < rows; k++) {
    row = shuffled ? (row + k) & (rows - 1) : k; // triangular numbers: each row once
    GLOBAL *at = from + (size_t)row * columns + column;
    cabaMarkAt(0, (unsigned long long)at);
    sum = sum * 5 + *at;
  }
  y[column] = sum;
}
