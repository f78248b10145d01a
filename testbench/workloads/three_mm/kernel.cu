// SPDX-License-Identifier: Apache-2.0
// E = A B, F = C D, G = E F by tiles of B, D and F that L2 keeps: Polybench's 3mm.
#include "tandem_device.h"

#include "../tiled_product.h"
#include "atoms.h"

#if !defined(TANDEM_VERSION_BASELINE) && !defined(TANDEM_VERSION_XMEM)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

XMEM_ATOM_TABLE(THREE_MM_ATOMS)

extern "C" __global__ void __launch_bounds__(32) three_mm(product_launch l, const float *a, const float *b, float *c) {
  product(l, a, b, c);
}
