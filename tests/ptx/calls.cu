/* SPDX-License-Identifier: Apache-2.0 */
/* Calls, recursion, function pointers, switches, local arrays: tests/ptx/calls.h, a word of input a thread. */
#ifdef TANDEM_CLANG
#include "tandem_device.h"
#endif
#define FN extern "C" __device__ __noinline__
#define TABLE extern "C" __device__
#include "calls.h"

#define KERNEL(name)                                                                   \
  extern "C" __global__ void k_##name(const unsigned *in, unsigned *out, unsigned n) { \
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                \
    if (i < n) out[i] = run_##name(in[i]);                                             \
  }
KERNEL(calls)
KERNEL(shape)
KERNEL(ackermann)
KERNEL(quicksort)
KERNEL(pointers)
KERNEL(returns)
KERNEL(dispatch)
KERNEL(local)
