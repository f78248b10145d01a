// SPDX-License-Identifier: Apache-2.0
// Training of a layer of a neural network, `inputs` units to 16 hidden ones, in Rodinia's two kernels (backprop,
// Che 2009), CTAs of 16 x 16: `forward` multiplies 16 inputs with their weights and adds the products up
// pairwise in shared memory, `adjust` moves the weights. Weights by input, 16 each.
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#define SIDE 16

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(BACKPROP_ATOMS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

// partial: a row of 16 sums a CTA
extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  backprop_forward(unsigned inputs, const float *input, const float *weight, float *partial) {
  __shared__ float unit[SIDE], product[SIDE][SIDE];
  unsigned x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * SIDE + y;
  if (x == 0) unit[y] = i < inputs ? input[i] : 0.f;
  product[y][x] = i < inputs ? weight[(size_t)i * SIDE + x] : 0.f;
  __syncthreads();
  product[y][x] = __fmul_rn(product[y][x], unit[y]);
  for (unsigned step = 1; step < SIDE; step *= 2) {
    __syncthreads();
    if (y % (2 * step) == 0) product[y][x] = __fadd_rn(product[y][x], product[y + step][x]);
  }
  if (y == 0) partial[blockIdx.x * SIDE + x] = product[0][x];
}

extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
  backprop_adjust(unsigned inputs, float rate, float momentum, const float *delta, const float *input, float *weight,
                  float *last) {
  unsigned x = threadIdx.x, i = blockIdx.x * SIDE + threadIdx.y;
  if (i >= inputs) return;
  size_t at = (size_t)i * SIDE + x;
  float change = fmaf(momentum, last[at], __fmul_rn(__fmul_rn(rate, delta[x]), input[i]));
  weight[at] = __fadd_rn(weight[at], change);
  last[at] = change;
}
