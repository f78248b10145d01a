// SPDX-License-Identifier: Apache-2.0
// Tiled product of two matrices, timed by events.
#include "check.h"

template <int TILE> __global__ void multiply(float *c, const float *a, const float *b, int inner, int width) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int at = 0; at < inner; at += TILE) {
    as[ty][tx] = a[row * inner + at + tx];
    bs[ty][tx] = b[(at + ty) * width + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; k++) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * width + column] = sum;
}

int main() {
  const int inner = 64, height = 32, width = 64, tile = 16;
  float *ha, *hb, *hc, *a, *b, *c, ms;
  cudaStream_t stream;
  cudaEvent_t start, stop;
  int wrong = 0, blocks;
  CHECK(cudaMallocHost(&ha, inner * height * sizeof *ha));
  CHECK(cudaMallocHost(&hb, inner * width * sizeof *hb));
  CHECK(cudaMallocHost(&hc, height * width * sizeof *hc));
  for (int i = 0; i < inner * height; i++) ha[i] = i % 7;
  for (int i = 0; i < inner * width; i++) hb[i] = i % 5;
  CHECK(cudaMalloc(&a, inner * height * sizeof *a));
  CHECK(cudaMalloc(&b, inner * width * sizeof *b));
  CHECK(cudaMalloc(&c, height * width * sizeof *c));
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaMemcpyAsync(a, ha, inner * height * sizeof *a, cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemcpyAsync(b, hb, inner * width * sizeof *b, cudaMemcpyHostToDevice, stream));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, multiply<tile>, tile * tile, 0));
  CHECK(cudaEventRecord(start, stream));
  multiply<tile><<<dim3(width / tile, height / tile), dim3(tile, tile), 0, stream>>>(c, a, b, inner, width);
  CHECK(cudaEventRecord(stop, stream));
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  CHECK(cudaMemcpyAsync(hc, c, height * width * sizeof *hc, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      float sum = 0;
      for (int k = 0; k < inner; k++) sum += ha[y * inner + k] * hb[k * width + x];
      wrong += hc[y * width + x] != sum;
    }
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(ha));
  return verdict(wrong + !(ms > 0) + (blocks < 1));
}
