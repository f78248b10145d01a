// SPDX-License-Identifier: Apache-2.0
// printf, malloc, free and assert of kernels; with `fail` the assertion fails, with `full` the buffer of printf is too small.
#include "check.h"
#include <cassert>
#include <cstring>

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

__global__ void count() {
  for (int i = 0; i < 100; i++) printf("%d\n", i);
}

static int count_into_a_small_buffer() {
  CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 128));
  count<<<1, 1>>>();
  CHECK(cudaDeviceSynchronize());
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "full")) return count_into_a_small_buffer();
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
