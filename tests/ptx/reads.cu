// SPDX-License-Identifier: Apache-2.0
// Kernels whose reads of global memory the analysis of indexes (csim/ptx/affine.h) classifies.
#ifdef TANDEM_CLANG
#include "tandem_device.h"
#endif

struct Node {
  int starting;
  int no_of_edges;
};

// Listing 2 of Lashgar 2018: the breadth-first search of Rodinia (Che 2009).
extern "C" __global__ void bfs(const Node *nodes, const int *edges, bool *mask, bool *visited, int *cost, bool *over,
                               int no_of_nodes) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < no_of_nodes && mask[tid]) {
    mask[tid] = false;
    visited[tid] = true;
#pragma unroll 1
    for (int i = nodes[tid].starting; i < nodes[tid].no_of_edges + nodes[tid].starting; i++) {
      int id = edges[i];
      if (!visited[id]) {
        cost[id] = cost[tid] + 1;
        mask[id] = true;
        *over = true;
      }
    }
  }
}

// Five points of a matrix with `pitch` elements a row, inside of its rim.
extern "C" __global__ void stencil(const float *in, float *out, int rows, int columns, int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x + 1 >= columns || y + 1 >= rows) return;
  const float *at = in + y * pitch + x;
  out[y * pitch + x] = at[0] + at[-1] + at[1] + at[-pitch] + at[pitch];
}

// A matrix whose rows follow one another, as wide as the grid.
extern "C" __global__ void dense(const float *a, const float *b, float *out) {
  unsigned pitch = gridDim.x * blockDim.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned i = y * pitch + blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = a[i] + b[i];
}

extern "C" __global__ void columns(const float *in, float *out, unsigned pitch) {
  unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) * pitch + threadIdx.y;
  out[i] = in[i];
}

extern "C" __global__ void backwards(const float *in, float *out, int n) {
  int i = n - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= 0) out[i] = in[i] + in[5];
}

extern "C" __global__ void grid_stride(const float2 *a, float *out, unsigned n) {
#pragma unroll 1
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = a[i].x * a[i].y;
}

// A row of `n` elements a thread, with a nested loop.
extern "C" __global__ void nested(const int *in, int *out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
#pragma unroll 1
  for (int j = 0; j < n; j++)
#pragma unroll 1
    for (int k = 0; k < m; k += 2) sum += in[(i * n + j) * m + k];
  out[i] = sum;
}

// ---- one reason each ----

extern "C" __global__ void reason_operator(const int *in, int *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i % n];
}

extern "C" __global__ void reason_indirect(const int *in, const int *index, int *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[index[i]];
}

extern "C" __global__ void reason_control(const int *in, int *out, const int *flag) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[flag[i] ? i : 2 * i + 1];
}

extern "C" __global__ void reason_induction(const int *in, int *out, const int *count) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < count[i]; k++) sum += in[i + k];
  out[i] = sum;
}

extern "C" __global__ void degree_two(const int *in, int *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[blockIdx.x * blockIdx.x + n] + in[n];
}
