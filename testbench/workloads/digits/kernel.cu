// SPDX-License-Identifier: Apache-2.0
// The convolutional layers of a network that reads handwritten digits of 29 x 29 pixels (Simard, ICDAR 2003): six maps of
// 13 x 13 neurons, then fifty of 5 x 5, each neuron seeing 5 x 5 of the layer before in steps of two; a CTA a map and digit,
// a thread a neuron. NEU of Yuan 2009, section 5, whose study runs these two kernels.
#include "tandem_device.h"

#define SIDE 29
#define MAPS1 6
#define SIDE1 13
#define MAPS2 50
#define SIDE2 5
#define FIELD 5

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

static __device__ __forceinline__ float digits_fire(float x) { return 1.7159f * tanhf(0.66666667f * x); }

static __device__ __forceinline__ float digits_field(const float *in, unsigned side, unsigned x, unsigned y,
                                                     const float *weight) {
  float sum = 0.f;
  for (unsigned j = 0; j < FIELD; j++)
    for (unsigned i = 0; i < FIELD; i++) sum = fmaf(in[(2 * y + j) * side + 2 * x + i], weight[j * FIELD + i], sum);
  return sum;
}

// weight: of each map a bias and 25 weights
extern "C" __global__ void __launch_bounds__(SIDE1 *SIDE1)
  digits_layer1(const float *image, const float *weight, float *out) {
  unsigned map = blockIdx.x, digit = blockIdx.y, x = threadIdx.x, y = threadIdx.y;
  const float *w = weight + map * (1 + FIELD * FIELD);
  float sum = w[0] + digits_field(image + digit * SIDE * SIDE, SIDE, x, y, w + 1);
  out[((digit * MAPS1 + map) * SIDE1 + y) * SIDE1 + x] = digits_fire(sum);
}

// weight: of each map a bias and 25 weights for each map of the layer before
extern "C" __global__ void __launch_bounds__(SIDE2 *SIDE2)
  digits_layer2(const float *in, const float *weight, float *out) {
  unsigned map = blockIdx.x, digit = blockIdx.y, x = threadIdx.x, y = threadIdx.y;
  const float *w = weight + map * (1 + MAPS1 * FIELD * FIELD);
  float sum = w[0];
  for (unsigned m = 0; m < MAPS1; m++)
    sum += digits_field(in + (digit * MAPS1 + m) * SIDE1 * SIDE1, SIDE1, x, y, w + 1 + m * FIELD * FIELD);
  out[((digit * MAPS2 + map) * SIDE2 + y) * SIDE2 + x] = digits_fire(sum);
}
