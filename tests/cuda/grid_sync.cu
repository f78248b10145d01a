// SPDX-License-Identifier: Apache-2.0
// A cooperative grid meets between two halves of a kernel; too large a grid is refused.
#include "check.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void rotate(int *x, int n) {
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank();
  if (i < n) x[i] = i * i;
  grid.sync();
  int next = i < n ? x[(i + 1) % n] : 0;
  grid.sync();
  if (i < n) x[i] = next;
}

int main() {
  int n = 512, x[512], *d, blocks, wrong = 0;
  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, rotate, 128, 0));
  CHECK(cudaMalloc(&d, sizeof x));
  void *arguments[] = {&d, &n};
  for (int round = 0; round < 2; round++) {
    CHECK(cudaMemset(d, 0, sizeof x));
    CHECK(cudaLaunchCooperativeKernel((void *)rotate, dim3(4), dim3(128), arguments));
    CHECK(cudaMemcpy(x, d, sizeof x, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) wrong += x[i] != (i + 1) % n * ((i + 1) % n);
  }
  int most = blocks * p.multiProcessorCount;
  FAILS(cudaErrorCooperativeLaunchTooLarge,
        cudaLaunchCooperativeKernel((void *)rotate, dim3(most + 1), dim3(128), arguments));
  return verdict(wrong);
}
