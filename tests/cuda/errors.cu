// SPDX-License-Identifier: Apache-2.0
// Errors: a thread keeps its last one until it is asked; a fault sticks until the device is reset.
#include "check.h"
#include <cstring>
#include <thread>

__device__ int global = 7;
__global__ void store(int *x) { *x = global; }

static void not_registered() {}

int main() {
  int *d, x = 0, wrong = 0;
  char big[16];
  FAILS(cudaErrorInvalidValue, cudaMalloc((void **)NULL, 4));
  FAILS(cudaErrorInvalidValue, cudaPeekAtLastError());
  std::thread([] { CHECK(cudaPeekAtLastError()); }).join();
  FAILS(cudaErrorInvalidValue, cudaGetLastError());
  CHECK(cudaGetLastError());

  CHECK(cudaMalloc(&d, sizeof *d));
  store<<<0, 32>>>(d);
  FAILS(cudaErrorInvalidConfiguration, cudaGetLastError());
  store<<<1, 2048>>>(d);
  FAILS(cudaErrorInvalidConfiguration, cudaGetLastError());
  FAILS(cudaErrorInvalidDeviceFunction, cudaLaunchKernel((void *)not_registered, dim3(1), dim3(1), NULL, 0, 0));
  FAILS(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(big, &x, sizeof x));
  FAILS(cudaErrorInvalidValue, cudaMemcpyToSymbol(global, big, sizeof big));
  FAILS(cudaErrorInvalidMemcpyDirection, cudaMemcpy(d, &x, sizeof x, (cudaMemcpyKind)9));
  FAILS(cudaErrorInvalidValue, cudaMemcpy(d, big, sizeof big, cudaMemcpyHostToDevice));
  FAILS(cudaErrorMemoryAllocation, cudaMalloc(&d, (size_t)1 << 50));
  FAILS(cudaErrorInvalidValue, cudaFree((char *)d + 1));
  FAILS(cudaErrorInvalidDevice, cudaSetDevice(1));
  FAILS(cudaErrorNotSupported, cudaIpcGetMemHandle((cudaIpcMemHandle_t *)big, d));
  FAILS(cudaErrorNotSupported, cudaGetLastError());

  store<<<1, 1>>>((int *)0x40);
  FAILS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  FAILS(cudaErrorIllegalAddress, cudaMalloc(&d, 4));
  FAILS(cudaErrorIllegalAddress, cudaGetLastError());
  FAILS(cudaErrorIllegalAddress, cudaGetLastError());
  CHECK(cudaDeviceReset());
  CHECK(cudaGetLastError());
  CHECK(cudaMalloc(&d, sizeof *d));
  store<<<1, 1>>>((int *)((char *)d + 1));
  FAILS(cudaErrorMisalignedAddress, cudaDeviceSynchronize());
  FAILS(cudaErrorMisalignedAddress, cudaMemset(d, 0, sizeof *d));
  CHECK(cudaDeviceReset());
  CHECK(cudaMalloc(&d, sizeof *d));
  store<<<1, 1>>>(d);
  CHECK(cudaMemcpy(&x, d, sizeof x, cudaMemcpyDeviceToHost));
  wrong += x != 7 || strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  return verdict(wrong);
}
