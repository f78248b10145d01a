// SPDX-License-Identifier: Apache-2.0
// printf, malloc, free and assert of kernels; with an argument the assertion fails.
#include "check.h"
#include <cassert>

__global__ void print(int value) {
  printf("[%u, %2u]: %d %5.2f %s %c%% %lld %x\n", blockIdx.x, threadIdx.x, value, 1.5 * threadIdx.x, "text", 'z',
         1LL << 40, 255u);
}

__global__ void lists(int *sums) {
  int *p = (int *)malloc(4 * sizeof(int));
  if (!p) return;
  for (int i = 0; i < 4; i++) p[i] = threadIdx.x + i;
  __syncthreads();
  sums[threadIdx.x] = p[0] + p[3];
  free(p);
}

__global__ void exhaust(int *given) {
  while (void *p = malloc(100000)) *given += p != NULL;
}

__global__ void check(int n) { assert((int)threadIdx.x < n); }

int main(int argc, char **) {
  int sums[64], given = 0, *d, wrong = 0;
  size_t heap;
  CHECK(cudaMalloc(&d, sizeof sums));
  CHECK(cudaMemset(d, 0, sizeof sums));
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
  CHECK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
  print<<<2, 2>>>(-7);
  printf("before\n"); // the kernel's text waits for the next call that synchronises
  CHECK(cudaDeviceSynchronize());
  lists<<<1, 64>>>(d);
  CHECK(cudaMemcpy(sums, d, sizeof sums, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) wrong += sums[i] != 2 * i + 3;
  CHECK(cudaMemset(d, 0, sizeof sums));
  exhaust<<<1, 1>>>(d);
  CHECK(cudaMemcpy(&given, d, sizeof given, cudaMemcpyDeviceToHost));
  wrong += given != (int)(heap / 100000);
  FAILS(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 21));
  check<<<1, 32>>>(argc > 1 ? 20 : 32);
  if (argc > 1) FAILS(cudaErrorAssert, cudaDeviceSynchronize());
  else CHECK(cudaDeviceSynchronize());
  return verdict(wrong);
}
