// SPDX-License-Identifier: Apache-2.0
// Two streams, each with its copies and its kernel, callbacks, host functions, memory from a pool, extended launches.
#include "check.h"

__global__ void scale(int *x, int n, int factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}

static int called;
static void CUDART_CB note(cudaStream_t, cudaError_t status, void *data) {
  called += status == cudaSuccess ? *(int *)data : 100;
}
static void CUDART_CB host(void *data) { called += *(int *)data; }

int main() {
  const int n = 1000, streams = 2;
  static int x[streams][n];
  int one = 1, ten = 10, wrong = 0, least, greatest;
  cudaStream_t stream[streams];
  cudaEvent_t done;
  cudaMemPool_t pool;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  for (int s = 0; s < streams; s++) {
    int *d;
    CHECK(cudaStreamCreateWithPriority(&stream[s], cudaStreamNonBlocking, s ? greatest : least));
    for (int i = 0; i < n; i++) x[s][i] = i;
    CHECK(cudaMallocAsync(&d, sizeof x[s], stream[s]));
    CHECK(cudaMemcpyAsync(d, x[s], sizeof x[s], cudaMemcpyHostToDevice, stream[s]));
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(4);
    config.blockDim = dim3(256);
    config.stream = stream[s];
    CHECK(cudaLaunchKernelEx(&config, scale, d, n, s + 2));
    CHECK(cudaEventRecord(done, stream[s]));
    CHECK(cudaStreamWaitEvent(stream[0], done, 0));
    CHECK(cudaMemcpyAsync(x[s], d, sizeof x[s], cudaMemcpyDeviceToHost, stream[s]));
    CHECK(cudaFreeAsync(d, stream[s]));
    CHECK(cudaStreamAddCallback(stream[s], note, &one, 0));
    CHECK(cudaLaunchHostFunc(stream[s], host, &ten));
  }
  for (int s = 0; s < streams; s++) CHECK(cudaStreamSynchronize(stream[s]));
  for (int s = 0; s < streams; s++)
    for (int i = 0; i < n; i++) wrong += x[s][i] != i * (s + 2);
  CHECK(cudaStreamQuery(cudaStreamPerThread));
  CHECK(cudaStreamQuery(cudaStreamLegacy));
  FAILS(cudaErrorInvalidResourceHandle, cudaStreamSynchronize((cudaStream_t)&wrong));
  return verdict(wrong + (called != 22));
}
