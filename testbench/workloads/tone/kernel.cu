// SPDX-License-Identifier: Apache-2.0
// A function of each pixel that takes many operations: `rounds` steps of a recurrence in whole numbers.
// Version caba: memoization (Vijaykumar 2019, 5.5.1, a sketch). An assist warp looks the pixels of a warp up in a table in shared memory,
// and the warp passes the function by if all are there; else another one puts its results there, at low priority or (urgent) at
// high (assumption: the routines, the table of 256 inputs and results a CTA, and that a warp gives up after 16 misses in a row).
#include "caba.h"

#define THREADS 256
#define ENTRIES 256

#if defined(TANDEM_VERSION_CABA)
CABA_ROUTINES(R"(
.entry look_up .attribute(.event(mark), .encoding(1), .priority(high), .live_in(2), .live_out(2), .kept(1))
{
  .reg .b32 %misses, %input;
  .reg .b32 %found<2>;  // the input of the entry, its result
  .reg .b32 %at, %table, %answer;
  .reg .pred %here, %all, %hopeless;
  move.in.b32 %input, 0;
  move.in.b32 %table, 1;
  and.b32 %at, %input, 255;
  shl.b32 %at, %at, 3;
  add.u32 %at, %at, %table;
  lds.v2.b32 {%found0, %found1}, [%at];
  setp.eq.u32 %here, %found0, %input;
  vote.all.pred %all, %here;
  add.u32 %misses, %misses, 1;
  @%all mov.b32 %misses, 0;
  setp.ge.u32 %hopeless, %misses, 16;
  mov.b32 %answer, 0;
  @%all mov.b32 %answer, 1;
  @%hopeless mov.b32 %answer, 2;
  move.out.b32 0, %found1;
  move.out.b32 1, %answer;
  end;
}
.entry keep .attribute(.event(mark), .encoding(2), .priority(low), .live_in(3))
{
  .reg .b32 %pair<2>;
  .reg .b32 %at, %table;
  move.in.b32 %pair0, 0;
  move.in.b32 %table, 1;
  move.in.b32 %pair1, 2;
  and.b32 %at, %pair0, 255;
  shl.b32 %at, %at, 3;
  add.u32 %at, %at, %table;
  sts.v2.b32 [%at], {%pair0, %pair1};
  end;
}
.entry keep_now .attribute(.event(mark), .encoding(3), .priority(high), .live_in(3))
{
  .reg .b32 %pair<2>;
  .reg .b32 %at, %table;
  move.in.b32 %pair0, 0;
  move.in.b32 %table, 1;
  move.in.b32 %pair1, 2;
  and.b32 %at, %pair0, 255;
  shl.b32 %at, %at, 3;
  add.u32 %at, %at, %table;
  sts.v2.b32 [%at], {%pair0, %pair1};
  end;
}
)");
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_CABA"
#endif

static __device__ __forceinline__ unsigned tone(unsigned v, unsigned rounds) {
#pragma unroll 4
  for (unsigned k = 0; k < rounds; k++) v = (v ^ v >> 15) * 0x2c1b3c6du + k;
  return v;
}

extern "C" __global__ void __launch_bounds__(THREADS)
  tones(unsigned n, unsigned rounds, unsigned urgent, const unsigned *x, unsigned *y) {
  unsigned i = blockIdx.x * THREADS + threadIdx.x, all = gridDim.x * THREADS;
#if defined(TANDEM_VERSION_CABA)
  __shared__ uint2 table[ENTRIES];
  table[threadIdx.x].x = threadIdx.x ? 0 : 1; // no input whose entry it is
  __syncthreads();
  unsigned base = (unsigned)(size_t)(__attribute__((address_space(3))) uint2 *)table;
#pragma unroll 1
  for (unsigned answer = 0; answer != 2 && i < n; i += all) { // until the warp gives up
    unsigned v = x[i];
    unsigned long long found = cabaRun(1, v, base);
    answer = (unsigned)(found >> 32);
    if (answer == 1) {
      y[i] = (unsigned)found;
      continue;
    }
    unsigned result = tone(v, rounds);
    y[i] = result;
    if (urgent) cabaMark(3, v, base, result);
    else cabaMark(2, v, base, result);
  }
#else
  (void)urgent;
#endif
#pragma unroll 1
  for (; i < n; i += all) y[i] = tone(x[i], rounds);
}
