/* SPDX-License-Identifier: Apache-2.0 */
/* What a cell does in a time step, of host and device alike, rounding by rounding: the nine densities f relax towards
 * their equilibrium at the cell's density and velocity (Qian, d'Humieres, Lallemand 1992, D2Q9, one relaxation time).
 * Products that nothing is fused to are LBM_MUL's. */
#ifndef LBM_CELL_H
#define LBM_CELL_H

#if defined(__CUDACC__) || defined(__CUDA__) /* nvcc, clang */
#define LBM_FN static __device__ __forceinline__
#define LBM_MUL(a, b) __fmul_rn(a, b)
#define LBM_UNROLL _Pragma("unroll") /* or the densities are an array in local memory */
#else
#include <math.h>
#define LBM_FN static inline
#define LBM_MUL(a, b) ((a) * (b))
#define LBM_UNROLL
#endif

enum { LBM_WAYS = 9 };
/* The ways that particles move in a step: at rest, east, north, west, south, north-east, north-west, south-west, south-east. */
#define LBM_X(way) ((way) == 1 || (way) == 5 || (way) == 8 ? 1 : (way) == 3 || (way) == 6 || (way) == 7 ? -1 : 0)
#define LBM_Y(way) ((way) == 2 || (way) == 5 || (way) == 6 ? 1 : (way) == 4 || (way) == 7 || (way) == 8 ? -1 : 0)
#define LBM_WEIGHT(way) ((way) == 0 ? 4.f / 9.f : (way) < 5 ? 1.f / 9.f : 1.f / 36.f)

LBM_FN void lbm_cell(float omega, float *f) {
  float density = ((f[0] + f[1]) + (f[2] + f[3])) + ((f[4] + f[5]) + (f[6] + f[7])) + f[8];
  float east = (f[1] + f[5]) + f[8], west = (f[3] + f[6]) + f[7];
  float north = (f[2] + f[5]) + f[6], south = (f[4] + f[7]) + f[8];
  float x = (east - west) / density, y = (north - south) / density;
  float rest = fmaf(-1.5f, fmaf(x, x, LBM_MUL(y, y)), 1.f);
  LBM_UNROLL for (int way = 0; way < LBM_WAYS; way++) {
    float along = (float)LBM_X(way) * x + (float)LBM_Y(way) * y; /* products with -1, 0 and 1 are exact */
    float equilibrium = LBM_MUL(LBM_MUL(LBM_WEIGHT(way), density), fmaf(fmaf(4.5f, along, 3.f), along, rest));
    f[way] = fmaf(omega, equilibrium - f[way], f[way]);
  }
}

#endif
