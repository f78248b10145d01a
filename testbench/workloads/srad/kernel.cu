// SPDX-License-Identifier: Apache-2.0
// Speckle-reducing anisotropic diffusion (Yu, Acton 2002) as Rodinia's srad, second version (Che 2009): an
// iteration is two kernels of 16 x 16 CTAs. The first computes the four differences and the diffusion
// coefficient of a pixel, the second the divergence and the new pixel; at the rim the missing neighbour
// is the pixel itself. The statistics of the region of interest are the host's. Version plain has no tiles.
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#define SIDE 16

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(SRAD_ATOMS)
#elif !defined(TANDEM_VERSION_BASELINE) && !defined(TANDEM_VERSION_PLAIN)
#error "define TANDEM_VERSION_BASELINE, _PLAIN or _XMEM"
#endif

// The diffusion coefficient of a pixel from its four differences.
static __device__ __forceinline__ float srad_diffusion(float q0_squared, float pixel, float dn, float ds, float dw,
                                                       float de) {
  float squares = fmaf(de, de, fmaf(dw, dw, fmaf(ds, ds, __fmul_rn(dn, dn))));
  float gradient = squares / __fmul_rn(pixel, pixel);
  float laplacian = ((dn + ds) + (dw + de)) / pixel;
  float numerator = fmaf(-0.0625f, __fmul_rn(laplacian, laplacian), __fmul_rn(0.5f, gradient));
  float scale = fmaf(0.25f, laplacian, 1.f);
  float q_squared = numerator / __fmul_rn(scale, scale);
  float excess = (q_squared - q0_squared) / __fmul_rn(q0_squared, 1.f + q0_squared);
  float c = 1.f / (1.f + excess);
  return fminf(fmaxf(c, 0.f), 1.f);
}

#if defined(TANDEM_VERSION_PLAIN)

// Differences north, south, west, east, one plane of rows x columns after the other.
extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  srad_coefficient(unsigned rows, unsigned columns, float q0_squared, const float *image, float *difference,
                   float *coefficient) {
  unsigned column = blockIdx.x * SIDE + threadIdx.x, row = blockIdx.y * SIDE + threadIdx.y;
  if (row >= rows || column >= columns) return;
  size_t i = (size_t)row * columns + column, plane = (size_t)rows * columns;
  float pixel = image[i];
  float dn = (row > 0 ? image[i - columns] : pixel) - pixel;
  float ds = (row + 1 < rows ? image[i + columns] : pixel) - pixel;
  float dw = (column > 0 ? image[i - 1] : pixel) - pixel;
  float de = (column + 1 < columns ? image[i + 1] : pixel) - pixel;
  coefficient[i] = srad_diffusion(q0_squared, pixel, dn, ds, dw, de);
  difference[i] = dn;
  difference[plane + i] = ds;
  difference[2 * plane + i] = dw;
  difference[3 * plane + i] = de;
}

extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  srad_update(unsigned rows, unsigned columns, float quarter_lambda, const float *difference, const float *coefficient,
              float *image) {
  unsigned column = blockIdx.x * SIDE + threadIdx.x, row = blockIdx.y * SIDE + threadIdx.y;
  if (row >= rows || column >= columns) return;
  size_t i = (size_t)row * columns + column, plane = (size_t)rows * columns;
  float own = coefficient[i];
  float south = row + 1 < rows ? coefficient[i + columns] : own;
  float east = column + 1 < columns ? coefficient[i + 1] : own;
  float divergence = fmaf(east, difference[3 * plane + i], __fmul_rn(own, difference[2 * plane + i]));
  divergence = fmaf(south, difference[plane + i], divergence);
  divergence = fmaf(own, difference[i], divergence);
  image[i] = fmaf(quarter_lambda, divergence, image[i]);
}

#else

// This thread's pixel of a plane, which it also puts into a tile with a halo of one cell; of the halo the lower and
// the right side, and with NORTH_WEST the others too.
template <bool NORTH_WEST>
static __device__ __forceinline__ float srad_load(unsigned rows, unsigned columns, unsigned row, unsigned column,
                                                  const float *plane, float (*tile)[SIDE + 2]) {
  unsigned x = threadIdx.x + 1, y = threadIdx.y + 1;
  size_t i = (size_t)row * columns + column;
  bool inside = row < rows && column < columns;
  float own = inside ? plane[i] : 0.f;
  tile[y][x] = own;
  if (inside) {
    if (NORTH_WEST && y == 1) tile[0][x] = row == 0 ? own : plane[i - columns];
    if (NORTH_WEST && x == 1) tile[y][0] = column == 0 ? own : plane[i - 1];
    if (y == SIDE || row + 1 == rows) tile[y + 1][x] = row + 1 == rows ? own : plane[i + columns];
    if (x == SIDE || column + 1 == columns) tile[y][x + 1] = column + 1 == columns ? own : plane[i + 1];
  }
  return own;
}

// Differences north, south, west, east, one plane of rows x columns after the other.
extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  srad_coefficient(unsigned rows, unsigned columns, float q0_squared, const float *image, float *difference,
                   float *coefficient) {
  __shared__ float tile[SIDE + 2][SIDE + 2];
  unsigned x = threadIdx.x + 1, y = threadIdx.y + 1;
  unsigned column = blockIdx.x * SIDE + threadIdx.x, row = blockIdx.y * SIDE + threadIdx.y;
  size_t i = (size_t)row * columns + column, plane = (size_t)rows * columns;
  float pixel = srad_load<true>(rows, columns, row, column, image, tile);
  __syncthreads();
  if (row >= rows || column >= columns) return;
  float dn = tile[y - 1][x] - pixel, ds = tile[y + 1][x] - pixel;
  float dw = tile[y][x - 1] - pixel, de = tile[y][x + 1] - pixel;
  coefficient[i] = srad_diffusion(q0_squared, pixel, dn, ds, dw, de);
  difference[i] = dn;
  difference[plane + i] = ds;
  difference[2 * plane + i] = dw;
  difference[3 * plane + i] = de;
}

extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  srad_update(unsigned rows, unsigned columns, float quarter_lambda, const float *difference, const float *coefficient,
              float *image) {
  __shared__ float tile[SIDE + 2][SIDE + 2];
  unsigned x = threadIdx.x + 1, y = threadIdx.y + 1;
  unsigned column = blockIdx.x * SIDE + threadIdx.x, row = blockIdx.y * SIDE + threadIdx.y;
  size_t i = (size_t)row * columns + column, plane = (size_t)rows * columns;
  float own = srad_load<false>(rows, columns, row, column, coefficient, tile);
  __syncthreads();
  if (row >= rows || column >= columns) return;
  float south = tile[y + 1][x], east = tile[y][x + 1];
  float divergence = fmaf(east, difference[3 * plane + i], __fmul_rn(own, difference[2 * plane + i]));
  divergence = fmaf(south, difference[plane + i], divergence);
  divergence = fmaf(own, difference[i], divergence);
  image[i] = fmaf(quarter_lambda, divergence, image[i]);
}

#endif
