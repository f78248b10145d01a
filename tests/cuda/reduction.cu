// SPDX-License-Identifier: Apache-2.0
// Sum of many integers: a tree in shared memory, then shuffles within a warp.
#include "check.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <class T> __global__ void reduce(const T *in, T *out, unsigned n) {
  extern __shared__ int memory[];
  T *partial = (T *)memory;
  cg::thread_block cta = cg::this_thread_block();
  unsigned i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
  T value = i < n ? in[i] : 0;
  if (i + blockDim.x < n) value += in[i + blockDim.x];
  partial[threadIdx.x] = value;
  cg::sync(cta);
  for (unsigned step = blockDim.x / 2; step > 32; step /= 2) {
    if (threadIdx.x < step) partial[threadIdx.x] = value = value + partial[threadIdx.x + step];
    cg::sync(cta);
  }
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cta);
  if (threadIdx.x < 32) {
    value += partial[threadIdx.x + 32];
    for (int offset = 16; offset > 0; offset /= 2) value += warp.shfl_down(value, offset);
  }
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

int main() {
  const unsigned n = 8192, block = 256, grid = n / (2 * block);
  static int in[n], out[grid];
  int *din, *dout;
  long wanted = 0, got = 0;
  for (unsigned i = 0; i < n; i++) wanted += in[i] = i * 7 % 23;
  CHECK(cudaMalloc(&din, sizeof in));
  CHECK(cudaMalloc(&dout, sizeof out));
  CHECK(cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice));
  reduce<int><<<grid, block, block * sizeof(int)>>>(din, dout, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < grid; i++) got += out[i];
  return verdict(got != wanted);
}
