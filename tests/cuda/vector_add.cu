// SPDX-License-Identifier: Apache-2.0
// c = a + factor * b, with a constant that the host sets, a counter and a managed total.
#include "check.h"

__constant__ float factor = 2.0f;
__device__ int counter;
__managed__ int total = 5;

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  c[i] = a[i] + factor * b[i];
  atomicAdd(&counter, 1);
  if (i == 0) total += n;
}

int main() {
  const int n = 5000;
  static float a[n], b[n], c[n];
  float *da, *db, *dc, three = 3;
  void *at;
  size_t bytes;
  int counted, wrong = 0;
  for (int i = 0; i < n; i++) a[i] = i, b[i] = 2 * i;
  CHECK(cudaMalloc(&da, sizeof a));
  CHECK(cudaMalloc(&db, sizeof b));
  CHECK(cudaMalloc(&dc, sizeof c));
  CHECK(cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, b, sizeof b, cudaMemcpyDefault));
  CHECK(cudaMemcpyToSymbol(factor, &three, sizeof three));
  CHECK(cudaGetSymbolAddress(&at, counter));
  CHECK(cudaGetSymbolSize(&bytes, counter));
  CHECK(cudaMemset(at, 0, bytes));
  add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpyFromSymbol(&counted, counter, sizeof counted));
  for (int i = 0; i < n; i++) wrong += c[i] != 7 * i;
  CHECK(cudaFree(da));
  CHECK(cudaFree(db));
  CHECK(cudaFree(dc));
  return verdict(wrong + (counted != n) + (total != n + 5));
}
