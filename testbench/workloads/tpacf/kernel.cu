// SPDX-License-Identifier: Apache-2.0
// Two-point angular correlation: histograms of the angles between points of the sky, of a set with itself and of two sets (Landy, Szalay
// 1993; tpacf of Parboil, Stratton 2012). A CTA has a point of the one set a thread and stages the other set in shared memory,
// `tile` points at a time; it counts in `copies` histograms, which its warps share, and adds them up at the end.
#include "tandem_device.h"

#if !defined(TANDEM_VERSION_SIZED)
#error "define TANDEM_VERSION_SIZED"
#endif
#define BINS 20

// Grid: x: parts of the one set; y: 0: the observed set with itself, then each random set with itself, then the observed one with each
// random one. limit: least cosine of each bin, falling. counts: BINS + 1 a row of the grid; the last one is of larger angles.
// Shared memory: 12 * tile + 4 * copies * (BINS + 1) bytes.
extern "C" __global__ void tpacf(unsigned points, unsigned sets, unsigned tile, unsigned copies, const float *x,
                                 const float *y, const float *z, const float *limit, unsigned *counts) {
  extern __shared__ float words[];
  float *sx = words, *sy = words + tile, *sz = words + 2 * tile;
  unsigned *histogram = (unsigned *)(words + 3 * tile);
  unsigned t = threadIdx.x, own = blockIdx.x * blockDim.x + t, row = blockIdx.y;
  unsigned one = row <= sets ? row : 0, other = row <= sets ? row : row - sets, itself = one == other;
  unsigned *mine = histogram + t / 32 % copies * (BINS + 1);
  float ax = 0.f, ay = 0.f, az = 0.f;
  if (own < points) ax = x[one * points + own], ay = y[one * points + own], az = z[one * points + own];
  for (unsigned i = t; i < copies * (BINS + 1); i += blockDim.x) histogram[i] = 0;
  for (unsigned from = 0; from < points; from += tile) {
    unsigned size = points - from < tile ? points - from : tile;
    __syncthreads();
    for (unsigned i = t; i < size; i += blockDim.x) {
      sx[i] = x[other * points + from + i];
      sy[i] = y[other * points + from + i];
      sz[i] = z[other * points + from + i];
    }
    __syncthreads();
    if (own >= points) continue;
    for (unsigned i = 0; i < size; i++) {
      if (itself && from + i <= own) continue; // a pair counts once
      float cosine = fmaf(ax, sx[i], fmaf(ay, sy[i], az * sz[i]));
      unsigned low = 0, high = BINS; // the first bin whose limit is not above the cosine
      while (low < high) {
        unsigned middle = (low + high) / 2;
        if (cosine >= limit[middle]) high = middle;
        else low = middle + 1;
      }
      atomicAdd(&mine[low], 1u);
    }
  }
  __syncthreads();
  for (unsigned bin = t; bin <= BINS; bin += blockDim.x) {
    unsigned sum = 0;
    for (unsigned c = 0; c < copies; c++) sum += histogram[c * (BINS + 1) + bin];
    if (sum) atomicAdd(&counts[row * (BINS + 1) + bin], sum);
  }
}
