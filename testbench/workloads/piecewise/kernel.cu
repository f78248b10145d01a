// SPDX-License-Identifier: Apache-2.0
// A piecewise cubic at many points: the coefficients of 256 pieces in constant or in global memory. Points in order make a
// warp read one piece, which constant memory broadcasts; points at random make it read up to 32.
#include "tandem_device.h"

#define PIECES 256

#if defined(TANDEM_VERSION_CONSTANT)
extern "C" {
__constant__ float coefficients[4 * PIECES];
}
#elif defined(TANDEM_VERSION_GLOBAL)
extern "C" {
__device__ float coefficients[4 * PIECES];
}
#else
#error "define TANDEM_VERSION_CONSTANT or TANDEM_VERSION_GLOBAL"
#endif

extern "C" __global__ void __launch_bounds__(128) piecewise(unsigned n, const float *x, float *y) {
  unsigned i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  float at = __fmul_rn(x[i], (float)PIECES); // x in [0, 1)
  int piece = (int)at;
  float t = at - (float)piece;
  const float *c = coefficients + 4 * piece;
  y[i] = fmaf(fmaf(fmaf(c[3], t, c[2]), t, c[1]), t, c[0]);
}
