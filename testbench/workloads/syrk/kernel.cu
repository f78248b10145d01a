// SPDX-License-Identifier: Apache-2.0
// The lower triangle of C = alpha A A^T + beta C by tiles of A that L2 keeps: Polybench's syrk, one launch a tile. The tile
// is of the rows that are the columns of C. A CTA, one warp, takes two rows of A past a piece of it, 32 rows of at most 64
// columns, turned round in shared memory; CTAs go along the tile first, then to the next two rows. Parts of a sum are added by
// atomics: their order is not determined, and the numbers are whole and small.
#include "tandem_device.h"

#include "syrk.h"

#if !defined(TANDEM_VERSION_BASELINE) && !defined(TANDEM_VERSION_XMEM)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

XMEM_ATOM_TABLE(SYRK_ATOMS)

extern "C" __global__ void __launch_bounds__(32) scale(unsigned pitch, float beta, float *c) {
  unsigned column = blockIdx.x * 32 + threadIdx.x;
  if (column <= blockIdx.y) c[(size_t)blockIdx.y * pitch + column] *= beta;
}

// 32 rows of 32 columns, `step` bytes apart.
static __device__ __forceinline__ void load(const char *a, size_t step, float (&x)[32]) {
#pragma unroll
  for (unsigned j = 0; j < 32; j++, a += step) x[j] = *(const float *)a;
}

extern "C" __global__ void __launch_bounds__(32) syrk(syrk_launch l, const float *a, float *c) {
  __shared__ float turned[32][33];
  tile_begins(SYRK_TILE, a, l.pitch_a, l.tile, l.last);
  unsigned lane = threadIdx.x, first = l.tile.top + blockIdx.y * 32;
  unsigned row = l.tile.top + blockIdx.z * SYRK_ROWS;
  if (first > row + SYRK_ROWS - 1) return;
  unsigned left = l.tile.left + blockIdx.x * SYRK_PIECE;
  unsigned count = min((unsigned)SYRK_PIECE, l.tile.columns - blockIdx.x * SYRK_PIECE);
  const char *piece = (const char *)(a + (size_t)first * l.pitch_a + left + lane);
  const float4 *past = (const float4 *)(a + (size_t)row * l.pitch_a + left), *next = past + l.pitch_a / 4;
  size_t step = l.pitch_a * sizeof(float);
  float sum[SYRK_ROWS] = {}, x[32];
  load(piece, step, x);
  for (unsigned i = 0; i < count; i += 32, past += 8, next += 8) {
    __syncwarp();
#pragma unroll
    for (unsigned j = 0; j < 32; j++) turned[j][lane] = x[j];
    __syncwarp();
    if (i + 32 < count) load(piece += 32 * sizeof(float), step, x);
#pragma unroll
    for (unsigned j = 0; j < 32; j += 4) {
      float4 y0 = past[j / 4], y1 = next[j / 4];
      sum[0] = fmaf(y0.x, turned[lane][j], sum[0]);
      sum[1] = fmaf(y1.x, turned[lane][j], sum[1]);
      sum[0] = fmaf(y0.y, turned[lane][j + 1], sum[0]);
      sum[1] = fmaf(y1.y, turned[lane][j + 1], sum[1]);
      sum[0] = fmaf(y0.z, turned[lane][j + 2], sum[0]);
      sum[1] = fmaf(y1.z, turned[lane][j + 2], sum[1]);
      sum[0] = fmaf(y0.w, turned[lane][j + 3], sum[0]);
      sum[1] = fmaf(y1.w, turned[lane][j + 3], sum[1]);
    }
  }
#pragma unroll
  for (unsigned r = 0; r < SYRK_ROWS; r++)
    if (first + lane <= row + r) atomicAdd(&c[(size_t)(row + r) * l.pitch_c + first + lane], l.alpha * sum[r]);
}
