// SPDX-License-Identifier: Apache-2.0
// Sobel operator on a grey image of bytes, zero beyond its border: |gx| + |gy|, at most 255 (NVIDIA
// SDK, SobelFilter, without its texture). CTAs of 16 x 16.
#include "tandem_device.h"

#include "../filter_tile.h"

// nw n ne / w . e / sw s se
static __device__ __forceinline__ unsigned char sobel_of(int nw, int n, int ne, int w, int e, int sw, int s, int se) {
  int gx = ne + 2 * e + se - nw - 2 * w - sw, gy = sw + 2 * s + se - nw - 2 * n - ne;
  return (unsigned char)min(abs(gx) + abs(gy), 255);
}

#if defined(TANDEM_VERSION_BASELINE) || defined(TANDEM_VERSION_BORDERS) || defined(TANDEM_VERSION_D2MA)

// Tiles with a halo of one pixel in shared memory.
extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  sobel(int rows, int columns, const unsigned char *in, unsigned char *out) {
  __shared__ unsigned char tile[LINE(1) * LINE(1)];
  int pitch = buffer_tile(rows, columns, 1, in, tile);
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * SIDE + y, column = blockIdx.x * SIDE + x;
  const unsigned char *north = tile + y * pitch + x, *middle = north + pitch, *south = middle + pitch;
  if (row < rows && column < columns)
    out[(size_t)row * columns + column] =
      sobel_of(north[0], north[1], north[2], middle[0], middle[2], south[0], south[1], south[2]);
}

#elif defined(TANDEM_VERSION_NAIVE)

// Eight global loads a pixel.
extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  sobel(int rows, int columns, const unsigned char *in, unsigned char *out) {
  int column = blockIdx.x * SIDE + threadIdx.x, row = blockIdx.y * SIDE + threadIdx.y;
  if (row >= rows || column >= columns) return;
  int near[3][3];
#pragma unroll
  for (int i = 0; i < 9; i++) {
    int r = row + i / 3 - 1, c = column + i % 3 - 1;
    near[i / 3][i % 3] = r >= 0 && r < rows && c >= 0 && c < columns ? in[(size_t)r * columns + c] : 0;
  }
  out[(size_t)row * columns + column] =
    sobel_of(near[0][0], near[0][1], near[0][2], near[1][0], near[1][2], near[2][0], near[2][1], near[2][2]);
}

#else
#error "define TANDEM_VERSION_BASELINE, _BORDERS, _D2MA or _NAIVE"
#endif
