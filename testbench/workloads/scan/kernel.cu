// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix sums modulo 2^32 of any length (Harris, Sengupta, Owens, GPU Gems 3, chapter 39;
// NVIDIA SDK, scan): a CTA scans BLOCK elements and leaves their sum; the host scans the sums by the
// same kernel and adds them.
#include "tandem_device.h"

#if !defined(TANDEM_VERSION_SIZED)

#define THREADS 256
#define BLOCK 512

extern "C" __global__ void __launch_bounds__(THREADS) scan_add(unsigned n, const unsigned *sums, unsigned *out) {
  unsigned i = blockIdx.x * BLOCK + threadIdx.x, sum = sums[blockIdx.x];
  if (i < n) out[i] += sum;
  if (i + THREADS < n) out[i + THREADS] += sum;
}

#endif

#if defined(TANDEM_VERSION_WORK_EFFICIENT) || defined(TANDEM_VERSION_CONFLICT_FREE)

// Blelloch's tree: sums on the way up, prefixes on the way down; 2 n additions.
#if defined(TANDEM_VERSION_CONFLICT_FREE)
#define AT(i) ((i) + (i) / 32) // 39.2.3: a pad after every row of 32 banks
#else
#define AT(i) (i)
#endif
extern "C" __global__ void __launch_bounds__(THREADS)
  scan(unsigned n, const unsigned *in, unsigned *out, unsigned *sums) {
  __shared__ unsigned tree[AT(BLOCK - 1) + 1];
  unsigned t = threadIdx.x, base = blockIdx.x * BLOCK;
  for (unsigned i = t; i < BLOCK; i += THREADS) tree[AT(i)] = base + i < n ? in[base + i] : 0;
  unsigned step = 1;
  for (unsigned nodes = BLOCK / 2; nodes > 0; nodes /= 2, step *= 2) {
    __syncthreads();
    if (t < nodes) {
      unsigned left = step * (2 * t + 1) - 1, right = left + step;
      tree[AT(right)] += tree[AT(left)];
    }
  }
  __syncthreads();
  if (t == 0) {
    sums[blockIdx.x] = tree[AT(BLOCK - 1)];
    tree[AT(BLOCK - 1)] = 0;
  }
  for (unsigned nodes = 1; nodes < BLOCK; nodes *= 2) {
    step /= 2;
    __syncthreads();
    if (t < nodes) {
      unsigned left = step * (2 * t + 1) - 1, right = left + step;
      unsigned sum = tree[AT(left)];
      tree[AT(left)] = tree[AT(right)];
      tree[AT(right)] += sum;
    }
  }
  __syncthreads();
  for (unsigned i = t; i < BLOCK; i += THREADS)
    if (base + i < n) out[base + i] = tree[AT(i)];
}

#elif defined(TANDEM_VERSION_HILLIS_STEELE)

// n log n additions between two buffers; two elements a thread, so that all versions share a grid.
extern "C" __global__ void __launch_bounds__(THREADS)
  scan(unsigned n, const unsigned *in, unsigned *out, unsigned *sums) {
  __shared__ unsigned buffer[2][BLOCK];
  unsigned t = threadIdx.x, base = blockIdx.x * BLOCK, from = 0;
  for (unsigned i = t; i < BLOCK; i += THREADS) buffer[0][i] = base + i < n ? in[base + i] : 0;
  for (unsigned distance = 1; distance < BLOCK; distance *= 2, from ^= 1) {
    __syncthreads();
    for (unsigned i = t; i < BLOCK; i += THREADS)
      buffer[from ^ 1][i] = buffer[from][i] + (i >= distance ? buffer[from][i - distance] : 0);
  }
  __syncthreads();
  for (unsigned i = t; i < BLOCK; i += THREADS)
    if (base + i < n) out[base + i] = i ? buffer[from][i - 1] : 0;
  if (t == 0) sums[blockIdx.x] = buffer[from][BLOCK - 1];
}

#elif defined(TANDEM_VERSION_SIZED)

// The tree of work_efficient over `block` elements, a power of two, in a CTA of any number of threads.
extern "C" __global__ void scan_add_sized(unsigned n, const unsigned *sums, unsigned *out, unsigned block) {
  unsigned base = blockIdx.x * block, sum = sums[blockIdx.x];
  for (unsigned i = threadIdx.x; i < block && base + i < n; i += blockDim.x) out[base + i] += sum;
}

extern "C" __global__ void scan_sized(unsigned n, const unsigned *in, unsigned *out, unsigned *sums, unsigned block) {
  extern __shared__ unsigned tree[]; // block
  unsigned t = threadIdx.x, threads = blockDim.x, base = blockIdx.x * block;
  for (unsigned i = t; i < block; i += threads) tree[i] = base + i < n ? in[base + i] : 0;
  unsigned step = 1;
  for (unsigned nodes = block / 2; nodes > 0; nodes /= 2, step *= 2) {
    __syncthreads();
    for (unsigned i = t; i < nodes; i += threads) {
      unsigned left = step * (2 * i + 1) - 1;
      tree[left + step] += tree[left];
    }
  }
  __syncthreads();
  if (t == 0) {
    sums[blockIdx.x] = tree[block - 1];
    tree[block - 1] = 0;
  }
  for (unsigned nodes = 1; nodes < block; nodes *= 2) {
    step /= 2;
    __syncthreads();
    for (unsigned i = t; i < nodes; i += threads) {
      unsigned left = step * (2 * i + 1) - 1, sum = tree[left];
      tree[left] = tree[left + step];
      tree[left + step] += sum;
    }
  }
  __syncthreads();
  for (unsigned i = t; i < block && base + i < n; i += threads) out[base + i] = tree[i];
}

#else
#error "define TANDEM_VERSION_WORK_EFFICIENT, _CONFLICT_FREE, _HILLIS_STEELE or _SIZED"
#endif
