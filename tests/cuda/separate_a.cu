// SPDX-License-Identifier: Apache-2.0
// Calls a device function and counts in a variable that the other object defines.
#include "check.h"

extern __device__ float scale(float x);
extern __device__ int counter;
int read_counter();

__global__ void each(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] = scale(x[i]);
  atomicAdd(&counter, 1);
}

int main() {
  const int n = 1000;
  float x[n], *d;
  int wrong = 0;
  for (int i = 0; i < n; i++) x[i] = i;
  CHECK(cudaMalloc(&d, sizeof x));
  CHECK(cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice));
  each<<<4, 256>>>(d, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(x, d, sizeof x, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) wrong += x[i] != 3 * i;
  return verdict(wrong + (read_counter() != n));
}
