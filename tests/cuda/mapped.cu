// SPDX-License-Identifier: Apache-2.0
// Kernels use the host's own addresses of pinned memory, and those of the device.
#include "check.h"

__global__ void add(float *a, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += b[i];
}

int main() {
  const int n = 1000;
  float *a, *b, *device_a;
  cudaPointerAttributes attributes;
  int wrong = 0;
  CHECK(cudaHostAlloc(&a, n * sizeof *a, cudaHostAllocMapped));
  CHECK(cudaMallocHost(&b, n * sizeof *b));
  for (int i = 0; i < n; i++) a[i] = i, b[i] = 1;
  CHECK(cudaHostGetDevicePointer(&device_a, a, 0));
  add<<<4, 256>>>(device_a, b, n);
  add<<<4, 256>>>(a, b, n);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++) wrong += a[i] != i + 2;
  CHECK(cudaPointerGetAttributes(&attributes, b));
  wrong += attributes.type != cudaMemoryTypeHost || attributes.devicePointer == NULL;
  CHECK(cudaFreeHost(a));
  CHECK(cudaFreeHost(b));
  return verdict(wrong);
}
