// SPDX-License-Identifier: Apache-2.0
// A level of the reversible 5/3 wavelet transform of an image, in whole numbers (Le Gall and Tabatabai 1988; order and borders
// as in JPEG 2000, ISO/IEC 15444-1, annex F: first down the columns, then along the rows). Two steps of lifting: an odd sample
// becomes its difference from the mean of its neighbours, then an even one is smoothed by the differences beside it. A CTA
// lifts a tile in shared memory, with a halo of two samples before it and one behind it, which its neighbours read, too
// (dwt2d of Rodinia, Che 2009; there a CTA slides down the image).
#include "ldesc.h"
#include "tandem_device.h"

#include "descriptors.h"

#define TILE 32
#define HIGH 8              // a CTA: TILE x HIGH threads
#define SIDE (2 + TILE + 1) // tile and halo

#if defined(TANDEM_VERSION_LDESC)
LDESC_TABLE(DWT2D_DESCRIPTORS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_LDESC"
#endif

// The sample that stands for number i of n: beyond both ends they come again in reverse. i: -2 .. n + 1; what lies further
// behind the end is not used, but read.
static __device__ __forceinline__ unsigned mirrored(int i, int n) {
  i = abs(i);
  if (i >= n) i = abs(2 * (n - 1) - i);
  return (unsigned)min(i, n - 1);
}

static __device__ __forceinline__ int halved(int sum) { return sum >> 1; }
static __device__ __forceinline__ int quartered(int sum) { return (sum + 2) >> 2; }

// low: the quarter of smooth samples, rows `low_pitch` apart; out: the other three, in the quarters of rows x columns
extern "C" __global__ void __launch_bounds__(TILE *HIGH)
  dwt2d(int rows, int columns, unsigned pitch, const int *in, unsigned low_pitch, int *low, unsigned out_pitch,
        int *out) {
  __shared__ int tile[SIDE][SIDE];
  int top = (int)blockIdx.y * TILE - 2, left = (int)blockIdx.x * TILE - 2;
  unsigned tx = threadIdx.x, ty = threadIdx.y;
  for (unsigned y = ty; y < SIDE; y += HIGH)
    for (unsigned x = tx; x < SIDE; x += TILE)
      tile[y][x] = in[(size_t)mirrored(top + (int)y, rows) * pitch + mirrored(left + (int)x, columns)];
  __syncthreads();
  for (unsigned y = 1 + 2 * ty; y < SIDE; y += 2 * HIGH)
    for (unsigned x = tx; x < SIDE; x += TILE) tile[y][x] -= halved(tile[y - 1][x] + tile[y + 1][x]);
  __syncthreads();
  for (unsigned y = 2 + 2 * ty; y < SIDE - 1; y += 2 * HIGH)
    for (unsigned x = tx; x < SIDE; x += TILE) tile[y][x] += quartered(tile[y - 1][x] + tile[y + 1][x]);
  __syncthreads();
  unsigned odd = 1 + 2 * tx, even = 2 + 2 * tx;
  for (unsigned y = 2 + ty; odd < SIDE && y < 2 + TILE; y += HIGH)
    tile[y][odd] -= halved(tile[y][odd - 1] + tile[y][odd + 1]);
  __syncthreads();
  for (unsigned y = 2 + ty; even < SIDE - 1 && y < 2 + TILE; y += HIGH)
    tile[y][even] += quartered(tile[y][even - 1] + tile[y][even + 1]);
  __syncthreads();

  // Half of a warp takes the even columns, the other half the odd ones, so that each stores a line.
  unsigned x = 2 + tx % (TILE / 2) * 2 + tx / (TILE / 2);
  for (unsigned y = 2 + ty; y < 2 + TILE; y += HIGH) {
    unsigned row = (unsigned)(top + (int)y), column = (unsigned)(left + (int)x);
    if (row >= (unsigned)rows || column >= (unsigned)columns) continue;
    unsigned to_row = row / 2 + (row % 2 ? (unsigned)(rows + 1) / 2 : 0);
    unsigned to_column = column / 2 + (column % 2 ? (unsigned)(columns + 1) / 2 : 0);
    if (row % 2 == 0 && column % 2 == 0) low[(size_t)to_row * low_pitch + to_column] = tile[y][x];
    else out[(size_t)to_row * out_pitch + to_column] = tile[y][x];
  }
}
