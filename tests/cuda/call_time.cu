// SPDX-License-Identifier: Apache-2.0
// Processor time of the host for calls that simulate nothing: below 5 us each.
#include "check.h"
#include <ctime>

static const int times = 20000;
static int wrong;

static double now() { return 1e6 * clock() / CLOCKS_PER_SEC; } // us of the whole process

template <typename F> static void measure(const char *name, F call) {
  double begin = now();
  for (int i = 0; i < times; i++) CHECK(call());
  double us = (now() - begin) / times;
  printf("%-24s %.3f us\n", name, us);
  wrong += us >= 5;
}

__global__ void empty() {}

int main() {
  int x = 0, *d, device;
  cudaEvent_t event;
  cudaStream_t stream;
  CHECK(cudaMalloc(&d, 4096));
  CHECK(cudaEventCreate(&event));
  CHECK(cudaStreamCreate(&stream));
  empty<<<1, 1>>>(); // the module is loaded
  measure("cudaGetDevice", [&] { return cudaGetDevice(&device); });
  measure("cudaGetLastError", [] { return cudaGetLastError(); });
  measure("cudaDeviceSynchronize", [] { return cudaDeviceSynchronize(); });
  measure("cudaStreamSynchronize", [&] { return cudaStreamSynchronize(stream); });
  measure("cudaEventRecord", [&] { return cudaEventRecord(event, stream); });
  measure("cudaMemcpy, 4 bytes", [&] { return cudaMemcpy(d, &x, sizeof x, cudaMemcpyHostToDevice); });
  measure("cudaMemcpyAsync, 4 bytes", [&] { return cudaMemcpyAsync(d, &x, sizeof x, cudaMemcpyHostToDevice, stream); });
  measure("cudaMemset, 4 KiB", [&] { return cudaMemset(d, 0, 4096); });
  measure("cudaMalloc and cudaFree", [] {
    void *p;
    cudaError_t error = cudaMalloc(&p, 256);
    return error ? error : cudaFree(p);
  });
  return verdict(wrong);
}
