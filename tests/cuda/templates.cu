// SPDX-License-Identifier: Apache-2.0
// Libraries of templates that come with nvcc: Thrust, CUB, cuRAND's device functions. They choose kernels by what they were compiled for.
#include "check.h"
#include <cub/cub.cuh>
#include <curand_kernel.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

static const int n = 10000;

static int sorts() {
  thrust::host_vector<int> keys(n), values(n);
  for (int i = 0; i < n; i++) keys[i] = (i * 7919 + 13) % n, values[i] = i; // 7919 and n share no factor: each key once
  thrust::device_vector<int> k = keys, v = values;
  thrust::sort_by_key(k.begin(), k.end(), v.begin());
  thrust::host_vector<int> sorted = k, from = v;
  int wrong = thrust::reduce(k.begin(), k.end()) != n / 2 * (n - 1);
  for (int i = 0; i < n; i++) wrong += sorted[i] != i || keys[from[i]] != i;
  return wrong;
}

static int scans() {
  int *x, *sum, wrong = 0;
  void *room = NULL;
  size_t bytes = 0;
  CHECK(cudaMallocManaged(&x, n * sizeof *x));
  CHECK(cudaMallocManaged(&sum, n * sizeof *sum));
  for (int i = 0; i < n; i++) x[i] = i % 7;
  CHECK(cub::DeviceScan::InclusiveSum(room, bytes, x, sum, n));
  CHECK(cudaMalloc(&room, bytes));
  CHECK(cub::DeviceScan::InclusiveSum(room, bytes, x, sum, n));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0, all = 0; i < n; i++) wrong += sum[i] != (all += x[i]);
  return wrong;
}

__global__ void draw(float *sum) {
  curandStatePhilox4_32_10_t state;
  curand_init(1, threadIdx.x, 0, &state);
  for (int i = 0; i < 16; i++) atomicAdd(sum, curand_uniform(&state));
}

static int draws() {
  float *sum;
  CHECK(cudaMallocManaged(&sum, sizeof *sum));
  *sum = 0;
  draw<<<1, 256>>>(sum);
  CHECK(cudaDeviceSynchronize());
  float mean = *sum / 256 / 16; // its standard deviation is 0.0045
  return mean < 0.48f || mean > 0.52f;
}

int main() { return verdict(sorts() + scans() + draws()); }
