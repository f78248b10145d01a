// SPDX-License-Identifier: Apache-2.0
// Nine weighted neighbours of every element but those at the rim, a thread an element, straight from global memory: 2DCONV
// of PolyBench's GPU kernels (Grauer-Gray 2012), with its weights.
#include "ldesc.h"
#include "tandem_device.h"

#include "descriptors.h"

#define WIDE 32
#define HIGH 8

#if defined(TANDEM_VERSION_LDESC)
LDESC_TABLE(CONVOLUTION2D_DESCRIPTORS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_LDESC"
#endif

extern "C" __global__ void __launch_bounds__(WIDE *HIGH)
  convolution2d(unsigned rows, unsigned columns, const float *in, float *out) {
  unsigned column = blockIdx.x * WIDE + threadIdx.x, row = blockIdx.y * HIGH + threadIdx.y;
  if (row == 0 || column == 0 || row + 1 >= rows || column + 1 >= columns) return;
  const float *above = in + (size_t)(row - 1) * columns + column, *here = above + columns, *below = here + columns;
  float sum = __fmul_rn(0.2f, above[-1]);
  sum = fmaf(-0.3f, above[0], sum);
  sum = fmaf(0.4f, above[1], sum);
  sum = fmaf(0.5f, here[-1], sum);
  sum = fmaf(0.6f, here[0], sum);
  sum = fmaf(0.7f, here[1], sum);
  sum = fmaf(-0.8f, below[-1], sum);
  sum = fmaf(-0.9f, below[0], sum);
  sum = fmaf(0.1f, below[1], sum);
  out[(size_t)row * columns + column] = sum;
}
