// SPDX-License-Identifier: Apache-2.0
// Host threads, each with streams of its own; their results do not mix.
#include "check.h"

#include <thread>
#include <vector>

__global__ void step(int *data, int by) { data[blockIdx.x * blockDim.x + threadIdx.x] += by; }

static int wrong[6];

static void work(int number) {
  const int n = 256, streams = 2;
  cudaStream_t stream[streams];
  int *data[streams], *host[streams];
  for (int s = 0; s < streams; s++) {
    CHECK(cudaStreamCreate(&stream[s]));
    CHECK(cudaMalloc(&data[s], n * sizeof(int)));
    CHECK(cudaMallocHost(&host[s], n * sizeof(int)));
    for (int i = 0; i < n; i++) host[s][i] = 1000 * number + i;
    CHECK(cudaMemcpyAsync(data[s], host[s], n * sizeof(int), cudaMemcpyHostToDevice, stream[s]));
  }
  for (int k = 1; k <= 10; k++)
    for (int s = 0; s < streams; s++) step<<<2, 128, 0, stream[s]>>>(data[s], k * (s + 1));
  for (int s = 0; s < streams; s++) {
    CHECK(cudaMemcpyAsync(host[s], data[s], n * sizeof(int), cudaMemcpyDeviceToHost, stream[s]));
    CHECK(cudaStreamSynchronize(stream[s]));
    for (int i = 0; i < n; i++) wrong[number] += host[s][i] != 1000 * number + i + 55 * (s + 1);
    CHECK(cudaFree(data[s]));
    CHECK(cudaFreeHost(host[s]));
    CHECK(cudaStreamDestroy(stream[s]));
  }
  cudaGetLastError();
}

int main() {
  std::vector<std::thread> threads;
  int all = 0;
  for (int i = 0; i < 6; i++) threads.emplace_back(work, i);
  for (std::thread &t : threads) t.join();
  for (int w : wrong) all += w;
  return verdict(all);
}
