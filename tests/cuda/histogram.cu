// SPDX-License-Identifier: Apache-2.0
// 256 bins: counted in shared memory, added up in global memory, all of it managed.
#include "check.h"

__global__ void histogram(const unsigned char *in, int n, unsigned *out) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

int main() {
  const int n = 20000;
  unsigned char *in;
  unsigned *out, wanted[256] = {0};
  int wrong = 0;
  cudaPointerAttributes attributes;
  CHECK(cudaMallocManaged(&in, n));
  CHECK(cudaMallocManaged(&out, sizeof wanted));
  CHECK(cudaPointerGetAttributes(&attributes, in));
  for (int i = 0; i < n; i++) in[i] = i * 7 % 251;
  for (int i = 0; i < n; i++) wanted[in[i]]++;
  CHECK(cudaMemset(out, 0, sizeof wanted));
  histogram<<<8, 256>>>(in, n, out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 256; i++) wrong += out[i] != wanted[i];
  CHECK(cudaFree(in));
  return verdict(wrong + (attributes.type != cudaMemoryTypeManaged));
}
