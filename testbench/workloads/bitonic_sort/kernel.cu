// SPDX-License-Identifier: Apache-2.0
// Bitonic sorting network of 2^k keys with values (Batcher 1968; NVIDIA SDK, sortingNetworks): what
// lies within 1024 pairs in shared memory, wider steps in global memory.
#include "tandem_device.h"

#define PART 1024
#define THREADS 512 // of the shared kernels
#define GLOBAL_THREADS 256

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

static __device__ __forceinline__ void compare(unsigned *keys, unsigned *values, unsigned a, unsigned b, bool up) {
  if ((keys[a] > keys[b]) != up) return;
  unsigned key = keys[a], value = values[a];
  keys[a] = keys[b], values[a] = values[b];
  keys[b] = key, values[b] = value;
}

// Steps of all strides below 2 `from` of a merge, then of the next merges up to length `to`, within
// parts of `PART` (or n) pairs. A merge of `length` goes upwards where the index has no bit `length`.
extern "C" __global__ void __launch_bounds__(THREADS)
  bitonic_shared(unsigned length, unsigned to, unsigned from, unsigned *keys, unsigned *values) {
  __shared__ unsigned part_keys[PART], part_values[PART];
  unsigned t = threadIdx.x, threads = blockDim.x, base = blockIdx.x * 2 * threads;
  for (unsigned i = t; i < 2 * threads; i += threads) part_keys[i] = keys[base + i], part_values[i] = values[base + i];
  for (; length <= to; length *= 2, from = length / 2)
    for (unsigned stride = from; stride > 0; stride /= 2) {
      __syncthreads();
      unsigned low = t & (stride - 1), a = 2 * (t - low) + low;
      compare(part_keys, part_values, a, a + stride, !((base + a) & length));
    }
  __syncthreads();
  for (unsigned i = t; i < 2 * threads; i += threads) keys[base + i] = part_keys[i], values[base + i] = part_values[i];
}

// One step of a merge of `length` at distance `stride`.
extern "C" __global__ void __launch_bounds__(GLOBAL_THREADS)
  bitonic_global(unsigned length, unsigned stride, unsigned *keys, unsigned *values) {
  unsigned i = blockIdx.x * GLOBAL_THREADS + threadIdx.x, low = i & (stride - 1), a = 2 * (i - low) + low;
  compare(keys, values, a, a + stride, !(a & length));
}
