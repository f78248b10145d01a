// SPDX-License-Identifier: Apache-2.0
// Small kernels whose needs of registers, shared memory and thread slots change as those of programs do for which Zorua was
// proposed (Vijaykumar 2019, chapter 4), each without a program around it. All compute whole numbers modulo 2^32. A CTA
// has any number of threads, so there are no launch bounds, which would limit registers.
#include "tandem_device.h"

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

static __device__ __forceinline__ unsigned mix(unsigned x) { return x * 1664525u + 1013904223u; }

// N values that all live across a turn: each is made of itself and the next one.
template <unsigned N> struct values {
  unsigned v[N];
  __device__ __forceinline__ void fill(unsigned x) {
#pragma unroll
    for (unsigned k = 0; k < N; k++) v[k] = x + k * 2654435761u;
  }
  __device__ __forceinline__ void turn() {
#pragma unroll
    for (unsigned k = 0; k < N; k++) v[k] = v[k] * 5 + (v[(k + 1) % N] >> 3);
  }
  __device__ __forceinline__ unsigned fold() const {
    unsigned x = 0;
#pragma unroll
    for (unsigned k = 0; k < N; k++) x = x * 31 + v[k];
    return x;
  }
};

// The same registers from the start to the end, and a barrier in each round.
template <unsigned N>
static __device__ __forceinline__ void steady(unsigned n, unsigned rounds, const unsigned *in, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  values<N> a;
  a.fill(i < n ? in[i] : 0);
  for (unsigned r = 0; r < rounds; r++) {
    a.turn();
    __syncthreads();
  }
  unsigned x = a.fold();
  if (i < n) out[i] = x;
}
extern "C" __global__ void registers_48(unsigned n, unsigned rounds, const unsigned *in, unsigned *out) {
  steady<43>(n, rounds, in, out);
}
extern "C" __global__ void registers_64(unsigned n, unsigned rounds, const unsigned *in, unsigned *out) {
  steady<59>(n, rounds, in, out);
}

// No shared memory, then LARGE words that threads exchange, then SMALL words, as NQU has it.
#define LARGE 1024
#define SMALL 100
extern "C" __global__ void shared_phases(unsigned n, unsigned rounds, const unsigned *in, unsigned *out) {
  __shared__ unsigned large[LARGE], small[SMALL];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, x = i < n ? in[i] : 0, sum = 0;
  for (unsigned r = 0; r < rounds; r++) x = mix(x) ^ (x >> 7);
  for (unsigned s = t; s < LARGE; s += blockDim.x) large[s] = x + s;
  __syncthreads();
  for (unsigned r = 0; r < rounds; r++) x = x * 3 + large[(x >> 9) % LARGE];
  for (unsigned s = t; s < SMALL; s += blockDim.x) {
    unsigned part = 0;
    for (unsigned k = s; k < LARGE; k += SMALL) part = part * 3 + large[k];
    small[s] = part;
  }
  __syncthreads();
  for (unsigned r = 0; r < rounds; r++) x = mix(x) ^ (x >> 5);
  for (unsigned k = 0; k < SMALL; k++) sum = sum * 5 + small[k];
  if (i < n) out[i] = x ^ sum;
}

// FEW values, twice as many in the second and third phase, and FEW again, as DCT has it.
#define FEW 10
extern "C" __global__ void register_phases(unsigned n, unsigned rounds, const unsigned *in, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  values<FEW> a;
  values<2 * FEW> b;
  a.fill(i < n ? in[i] : 0);
  for (unsigned r = 0; r < rounds; r++) a.turn();
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < 2 * FEW; k++) b.v[k] = a.v[k % FEW] * (k + 1);
  for (unsigned r = 0; r < rounds; r++) b.turn();
  __syncthreads();
  for (unsigned r = 0; r < rounds; r++) b.turn();
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < FEW; k++) a.v[k] = b.v[k] ^ b.v[k + FEW];
  for (unsigned r = 0; r < rounds; r++) a.turn();
  unsigned x = a.fold();
  if (i < n) out[i] = x;
}

// Two barriers a round, to which warps come after different amounts of work.
extern "C" __global__ void barriers(unsigned n, unsigned rounds, const unsigned *in, unsigned *out) {
  __shared__ unsigned cell[1024];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, x = i < n ? in[i] : 0;
  for (unsigned r = 0; r < rounds; r++) {
    cell[t] = x;
    __syncthreads();
    unsigned y = cell[(t + 32 * r + 1) % blockDim.x];
    for (unsigned work = (t / 32 * 7 + r) % 8; work > 0; work--) y = mix(y);
    x = x * 3 + y;
    __syncthreads();
  }
  if (i < n) out[i] = x;
}

// Every lane reads a line of its own in each round.
extern "C" __global__ void memory_bound(unsigned n, unsigned rounds, const unsigned *in, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = 0;
  for (unsigned r = 0; r < rounds; r++) x = x * 3 + in[(i * 32u + r * 253344u) % n];
  if (i < n) out[i] = x;
}
