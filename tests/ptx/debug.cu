/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled with -G: debug sections, .loc lines, variables in local memory. */
__device__ __noinline__ unsigned step(unsigned *state, unsigned add) {
  *state = *state * 1664525u + add;
  return *state >> 16;
}

extern "C" __global__ void k_debug(const unsigned *in, unsigned *out, unsigned n) {
  __shared__ unsigned sums[96];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, state = i < n ? in[i] : 0;
  sums[threadIdx.x] = 0;
  for (unsigned k = 0; k < 5; k++) sums[threadIdx.x] += step(&state, k);
  __syncthreads();
  if (i < n) out[i] = sums[threadIdx.x];
}
