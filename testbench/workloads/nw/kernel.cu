// SPDX-License-Identifier: Apache-2.0
// Alignment of two sequences (Needleman, Wunsch 1970; nw of Rodinia, Che 2009): scores of all pairs of prefixes, tile by tile along the
// diagonals of the matrix, each diagonal a launch. A CTA of 16 threads has a tile and its borders in shared memory.
#include "tandem_device.h"

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif
#define TILE 16

// score: (n + 1) x (n + 1), with its first row and column; similar: 4 x 4 letters. Tiles of this launch: (first + i, diagonal - first - i).
extern "C" __global__ void __launch_bounds__(TILE)
  nw_diagonal(unsigned n, unsigned diagonal, unsigned first, int penalty, const unsigned char *a,
              const unsigned char *b, const int *similar, int *score) {
  __shared__ int tile[TILE + 1][TILE + 1];
  unsigned t = threadIdx.x, column = first + blockIdx.x, pitch = n + 1;
  unsigned x = column * TILE, y = (diagonal - column) * TILE, letter = b[x + t];
  for (unsigned row = 0; row <= TILE; row++) {
    if (t == 0) tile[row][0] = score[(y + row) * pitch + x];
    if (row == 0) tile[0][t + 1] = score[y * pitch + x + t + 1];
  }
  __syncthreads();
  for (unsigned step = 0; step < 2 * TILE - 1; step++) {
    unsigned row = step - t;
    if (t <= step && row < TILE) {
      int best = tile[row][t] + similar[a[y + row] * 4 + letter];
      int up = tile[row][t + 1] - penalty, left = tile[row + 1][t] - penalty;
      best = best > up ? best : up;
      tile[row + 1][t + 1] = best > left ? best : left;
    }
    __syncthreads();
  }
  for (unsigned row = 1; row <= TILE; row++) score[(y + row) * pitch + x + t + 1] = tile[row][t + 1];
}
