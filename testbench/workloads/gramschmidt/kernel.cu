// SPDX-License-Identifier: Apache-2.0
// A = Q R by Gram and Schmidt's method, Polybench's gramschmidt, by blocks of columns that L2 keeps: finished panels of eight
// columns of Q stream past a block, whose columns lose their parts along them; then the block's own panels follow. Within
// a panel the method is the modified one. A row of a block is a line or some, far from the next row's: strides are large.
#include "tandem_device.h"

#include "gramschmidt.h"

#if !defined(TANDEM_VERSION_BASELINE) && !defined(TANDEM_VERSION_XMEM)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

#define PANEL GRAMSCHMIDT_PANEL
#define PITCH GRAMSCHMIDT_PITCH

XMEM_ATOM_TABLE(GRAMSCHMIDT_ATOMS)

// The panel's elements in a row.
static __device__ __forceinline__ void panel_row(const float *q, unsigned row, float (&x)[PANEL]) {
  const float4 *at = (const float4 *)(q + (size_t)row * PANEL);
#pragma unroll
  for (unsigned p = 0; p < PANEL; p += 4) {
    float4 y = at[p / 4];
    x[p] = y.x, x[p + 1] = y.y, x[p + 2] = y.z, x[p + 3] = y.w;
  }
}

static __device__ __forceinline__ unsigned my_column(const gramschmidt_launch &l) {
  return l.first / 32 * 32 + blockIdx.x * 32 + (threadIdx.x & 31);
}

// Dot products of the panel's columns with others, of GRAMSCHMIDT_ROWS rows: parts[blockIdx.y][p][column].
static __device__ __forceinline__ void dots_of_rows(const gramschmidt_launch &l, const float *a, const float *q,
                                                    float *parts) {
  __shared__ float sums[PANEL][PANEL][32];
  enum { ROWS = GRAMSCHMIDT_ROWS / PANEL };
  unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5, column = my_column(l);
  unsigned row = blockIdx.y * GRAMSCHMIDT_ROWS + warp * ROWS;
  const float *at = a + (size_t)row * PITCH + column;
  q += (size_t)l.panel * l.rows * PANEL;
  float x[ROWS], sum[PANEL] = {};
#pragma unroll
  for (unsigned r = 0; r < ROWS; r++) x[r] = at[r * PITCH];
#pragma unroll
  for (unsigned r = 0; r < ROWS; r++) {
    float y[PANEL];
    panel_row(q, row + r, y);
#pragma unroll
    for (unsigned p = 0; p < PANEL; p++) sum[p] = fmaf(y[p], x[r], sum[p]);
  }
#pragma unroll
  for (unsigned p = 0; p < PANEL; p++) sums[warp][p][lane] = sum[p];
  __syncthreads();
  float total = 0.f;
#pragma unroll
  for (unsigned i = 0; i < PANEL; i++) total += sums[i][warp][lane];
  parts[(size_t)(blockIdx.y * PANEL + warp) * PITCH + column] = total;
}

extern "C" __global__ void __launch_bounds__(GRAMSCHMIDT_THREADS)
  dots(gramschmidt_launch l, const float *a, const float *q, float *parts) {
  dots_of_rows(l, a, q, parts);
}

// The same as the first launch of a block.
extern "C" __global__ void __launch_bounds__(GRAMSCHMIDT_THREADS)
  dots_begin(gramschmidt_launch l, const float *a, const float *q, float *parts) {
  tile_begins(GRAMSCHMIDT_TILE, a, PITCH, l.tile, l.last);
  dots_of_rows(l, a, q, parts);
}

// R's rows of the panel, and what they take out of A.
extern "C" __global__ void __launch_bounds__(GRAMSCHMIDT_THREADS)
  update(gramschmidt_launch l, float *a, const float *q, const float *parts, float *r) {
  __shared__ float dot[PANEL][32];
  enum { ROWS = GRAMSCHMIDT_ROWS / PANEL };
  unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5, column = my_column(l);
  unsigned row = blockIdx.y * GRAMSCHMIDT_ROWS + warp * ROWS;
  bool mine = column >= l.first && column < l.end;
  float *at = a + (size_t)row * PITCH + column;
  float x[ROWS], total = 0.f, s[PANEL];
#pragma unroll
  for (unsigned i = 0; i < ROWS; i++) x[i] = at[i * PITCH];
  for (unsigned i = 0; i < l.rows / GRAMSCHMIDT_ROWS; i++) total += parts[(size_t)(i * PANEL + warp) * PITCH + column];
  if (mine && blockIdx.y == 0) r[(size_t)(l.panel * PANEL + warp) * PITCH + column] = total;
  dot[warp][lane] = total;
  __syncthreads();
#pragma unroll
  for (unsigned p = 0; p < PANEL; p++) s[p] = -dot[p][lane];
  q += (size_t)l.panel * l.rows * PANEL;
#pragma unroll
  for (unsigned i = 0; i < ROWS; i++) {
    float y[PANEL];
    panel_row(q, row + i, y);
#pragma unroll
    for (unsigned p = 0; p < PANEL; p++) x[i] = fmaf(y[p], s[p], x[i]);
  }
  if (!mine) return;
#pragma unroll
  for (unsigned i = 0; i < ROWS; i++) at[i * PITCH] = x[i];
}

static __device__ __forceinline__ float sum_of_warp(float x) {
#pragma unroll
  for (int i = 16; i; i /= 2) x += __shfl_xor_sync(~0u, x, i);
  return x;
}

// Columns in shared memory, EACH elements a lane at a time.
#define EACH (GRAMSCHMIDT_PADDED / 32)
#define LANES_OF(i, rows) for (unsigned i = threadIdx.x & 31; i < rows; i += GRAMSCHMIDT_PADDED)

// Product of two columns; every lane gets it.
static __device__ __forceinline__ float product(const float *x, const float *y, unsigned rows) {
  float sum[4] = {};
  LANES_OF(i, rows) {
    float of_x[EACH], of_y[EACH];
#pragma unroll
    for (unsigned j = 0; j < EACH; j++) of_x[j] = x[i + 32 * j], of_y[j] = y[i + 32 * j];
#pragma unroll
    for (unsigned j = 0; j < EACH; j++) sum[j % 4] = fmaf(of_x[j], of_y[j], sum[j % 4]);
  }
  return sum_of_warp(sum[0] + sum[1] + (sum[2] + sum[3]));
}

static __device__ __forceinline__ void scale(float *x, float by, unsigned rows) {
  LANES_OF(i, rows) {
    float y[EACH];
#pragma unroll
    for (unsigned j = 0; j < EACH; j++) y[j] = x[i + 32 * j];
#pragma unroll
    for (unsigned j = 0; j < EACH; j++) x[i + 32 * j] = y[j] * by;
  }
}

static __device__ __forceinline__ void subtract(float *x, const float *y, float times, unsigned rows) {
  LANES_OF(i, rows) {
    float old[EACH], of_y[EACH];
#pragma unroll
    for (unsigned j = 0; j < EACH; j++) old[j] = x[i + 32 * j], of_y[j] = y[i + 32 * j];
#pragma unroll
    for (unsigned j = 0; j < EACH; j++) x[i + 32 * j] = fmaf(-times, of_y[j], old[j]);
  }
}

// A panel of Q from A's columns, a warp a column; one CTA.
extern "C" __global__ void __launch_bounds__(GRAMSCHMIDT_THREADS)
  factor(gramschmidt_launch l, const float *a, float *q, float *r) {
  extern __shared__ float columns[];
  if (l.tile.rows) tile_begins(GRAMSCHMIDT_TILE, a, PITCH, l.tile, l.last);
  unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5, x = threadIdx.x % PANEL, pitch = l.rows + 1;
  for (unsigned row = threadIdx.x / PANEL; row < l.rows; row += GRAMSCHMIDT_PADDED) {
    float y[EACH] = {};
#pragma unroll
    for (unsigned j = 0; j < EACH && l.first + x < l.end; j++) y[j] = a[(size_t)(row + 32 * j) * PITCH + l.first + x];
#pragma unroll
    for (unsigned j = 0; j < EACH; j++) columns[x * pitch + row + 32 * j] = y[j];
  }
  float *mine = columns + warp * pitch, *to = r + (size_t)l.first * PITCH + l.first + warp;
  __syncthreads();
  for (unsigned k = 0; k < l.end - l.first; k++) {
    float *done = columns + k * pitch;
    if (warp == k) {
      float length = sqrtf(product(mine, mine, l.rows));
      scale(mine, 1.f / length, l.rows);
      if (lane == 0) to[k * PITCH] = length;
    }
    __syncthreads();
    if (warp <= k) continue;
    float along = product(done, mine, l.rows);
    subtract(mine, done, along, l.rows);
    if (lane == 0 && l.first + warp < l.end) to[k * PITCH] = along;
  }
  __syncthreads();
  q += (size_t)l.panel * l.rows * PANEL;
  for (unsigned i = threadIdx.x; i < l.rows * PANEL; i += GRAMSCHMIDT_THREADS)
    q[i] = columns[i % PANEL * pitch + i / PANEL];
}
