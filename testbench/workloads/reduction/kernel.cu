// SPDX-License-Identifier: Apache-2.0
// Sum of n whole numbers, modulo 2^32: the steps of Harris, "Optimizing Parallel Reduction in CUDA"
// (NVIDIA SDK, reduction). Every CTA leaves one partial sum; the host launches until one is left.
#include "tandem_device.h"

#define THREADS 256

#if defined(TANDEM_VERSION_STRIDED) // step 2: the working threads stay together, their addresses part
extern "C" __global__ void __launch_bounds__(THREADS) reduction(unsigned n, const unsigned *in, unsigned *out) {
  __shared__ unsigned sums[THREADS];
  unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    unsigned at = 2 * s * t;
    if (at < blockDim.x) sums[at] += sums[at + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

#elif defined(TANDEM_VERSION_DIVERGENT) // step 1: every second, fourth, eighth ... thread works
extern "C" __global__ void __launch_bounds__(THREADS) reduction(unsigned n, const unsigned *in, unsigned *out) {
  __shared__ unsigned sums[THREADS];
  unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

#elif defined(TANDEM_VERSION_SEQUENTIAL) // step 3: neighbouring threads add neighbouring words
extern "C" __global__ void __launch_bounds__(THREADS) reduction(unsigned n, const unsigned *in, unsigned *out) {
  __shared__ unsigned sums[THREADS];
  unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

#elif defined(TANDEM_VERSION_FIRST_ADD) // step 4: two elements a thread, added as they are loaded
extern "C" __global__ void __launch_bounds__(THREADS) reduction(unsigned n, const unsigned *in, unsigned *out) {
  __shared__ unsigned sums[THREADS];
  unsigned t = threadIdx.x, i = blockIdx.x * 2 * THREADS + t;
  unsigned sum = i < n ? in[i] : 0;
  if (i + THREADS < n) sum += in[i + THREADS];
  sums[t] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

#elif defined(TANDEM_VERSION_SHUFFLE) // a stride of the whole grid, then shuffles (Luitjens 2014)
static __device__ __forceinline__ unsigned warp_sum(unsigned sum) {
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  return sum;
}
extern "C" __global__ void __launch_bounds__(THREADS) reduction(unsigned n, const unsigned *in, unsigned *out) {
  __shared__ unsigned sums[THREADS / 32];
  unsigned t = threadIdx.x, sum = 0;
  for (unsigned i = blockIdx.x * THREADS + t; i < n; i += gridDim.x * THREADS) sum += in[i];
  sum = warp_sum(sum);
  if (t % 32 == 0) sums[t / 32] = sum;
  __syncthreads();
  if (t >= 32) return;
  sum = warp_sum(t < THREADS / 32 ? sums[t] : 0);
  if (t == 0) out[blockIdx.x] = sum;
}

#elif defined(TANDEM_VERSION_SIZED) // `each` elements a thread are added while they are loaded; any number of threads
extern "C" __global__ void reduction_sized(unsigned n, const unsigned *in, unsigned *out, unsigned each) {
  extern __shared__ unsigned sums[]; // blockDim.x
  unsigned t = threadIdx.x, sum = 0, i = blockIdx.x * each * blockDim.x + t;
  for (unsigned k = 0; k < each && i < n; k++, i += blockDim.x) sum += in[i];
  sums[t] = sum;
  for (unsigned left = blockDim.x; left > 1;) {
    unsigned half = (left + 1) / 2;
    __syncthreads();
    if (t < left - half) sums[t] += sums[t + half];
    left = half;
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

#else
#error "define TANDEM_VERSION_STRIDED, _DIVERGENT, _SEQUENTIAL, _FIRST_ADD, _SHUFFLE or _SIZED"
#endif
