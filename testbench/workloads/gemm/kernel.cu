// SPDX-License-Identifier: Apache-2.0
// C = alpha A B + beta C by tiles of B that L2 keeps: Polybench's gemm.
#include "tandem_device.h"

#include "../tiled_product.h"
#include "atoms.h"

#if !defined(TANDEM_VERSION_BASELINE) && !defined(TANDEM_VERSION_XMEM)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

XMEM_ATOM_TABLE(GEMM_ATOMS)

extern "C" __global__ void __launch_bounds__(256) scale(float beta, float *c) {
  c[blockIdx.x * 256 + threadIdx.x] *= beta;
}

extern "C" __global__ void __launch_bounds__(32) gemm(product_launch l, const float *a, const float *b, float *c) {
  product(l, a, b, c);
}
