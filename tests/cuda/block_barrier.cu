/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers in shared memory (cuda::barrier, cuda::pipeline), a tile of several warps, alloca; compute_80 or newer. */
#include "check.h"

#include <alloca.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
enum { N = 256, TILES = 4 };

/* Each phase adds the neighbour's value, so that a thread that ran ahead would read an old one. */
__global__ void phases(int *x, int rounds) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int a[2][N];
  int t = threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x);
  a[0][t] = x[t];
  __syncthreads();
  for (int i = 0; i < rounds; i++) {
    a[(i + 1) & 1][t] = a[i & 1][t] + a[i & 1][(t + 1) % N];
    barrier.wait(barrier.arrive());
  }
  x[t] = a[rounds & 1][t];
}

__global__ void staged(const int *in, int *out) {
  alignas(16) __shared__ int buffer[2][N];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int compute = 0, fetch = 0; compute < TILES; compute++) {
    for (; fetch < TILES && fetch < compute + 2; fetch++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, buffer[fetch & 1], in + N * fetch, cuda::aligned_size_t<16>(sizeof buffer[0]), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[N * compute + threadIdx.x] = 3 * buffer[compute & 1][N - 1 - threadIdx.x];
    pipe.consumer_release();
  }
}

__global__ void tiles(int *out) {
  __shared__ cg::block_tile_memory<N> memory;
  auto tile = cg::tiled_partition<128>(cg::this_thread_block(memory));
  out[threadIdx.x] = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
}

__global__ void sorted(const int *in, int *out, int n) {
  int *mine = (int *)alloca(n * sizeof *mine);
  for (int i = 0; i < n; i++) {
    int v = in[threadIdx.x + i], k = i;
    for (; k && mine[k - 1] > v; k--) mine[k] = mine[k - 1];
    mine[k] = v;
  }
  out[threadIdx.x] = mine[n / 2];
}

static int median(const int *in, int n) {
  for (int i = 0; i < n; i++) {
    int below = 0, same = 0;
    for (int k = 0; k < n; k++) below += in[k] < in[i], same += in[k] == in[i];
    if (below <= n / 2 && n / 2 < below + same) return in[i];
  }
  return -1;
}

int main() {
  int *x, *y, expected[2][N], wrong = 0;
  CHECK(cudaMallocManaged(&x, TILES * N * sizeof *x));
  CHECK(cudaMallocManaged(&y, TILES * N * sizeof *y));
  for (int i = 0; i < N; i++) x[i] = expected[0][i] = i * i % 91;
  for (int r = 0; r < 9; r++)
    for (int i = 0; i < N; i++) expected[~r & 1][i] = expected[r & 1][i] + expected[r & 1][(i + 1) % N];
  phases<<<1, N>>>(x, 9);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < N; i++) wrong += !(x[i] == expected[1][i]);
  for (int i = 0; i < TILES * N; i++) x[i] = i * 7919 % 1000;
  staged<<<1, N>>>(x, y);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < TILES * N; i++) wrong += !(y[i] == 3 * x[i / N * N + N - 1 - i % N]);
  tiles<<<1, N>>>(y);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < N; i++) wrong += !(y[i] == (i < 128 ? 127 * 64 : 127 * 64 + 128 * 128));
  sorted<<<1, N>>>(x, y, 21);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < N; i++) wrong += !(y[i] == median(x + i, 21));
  return verdict(wrong);
}
