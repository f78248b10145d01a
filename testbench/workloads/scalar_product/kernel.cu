// SPDX-License-Identifier: Apache-2.0
// Scalar products of many pairs of vectors: a CTA a pair, then the pair `gridDim.x` further (NVIDIA
// SDK, scalarProd). ACCUMULATORS slices are summed into shared memory, then by a tree.
#include "ldesc.h"
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"
#include "descriptors.h"

#define THREADS 256
#define ACCUMULATORS 1024

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(SCALAR_PRODUCT_ATOMS)
#elif defined(TANDEM_VERSION_LDESC)
LDESC_TABLE(SCALAR_PRODUCT_DESCRIPTORS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE, _XMEM or _LDESC"
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
  scalar_product(unsigned vectors, unsigned elements, const float *a, const float *b, float *c) {
  __shared__ float sums[ACCUMULATORS];
  for (unsigned v = blockIdx.x; v < vectors; v += gridDim.x) {
    const float *va = a + (size_t)v * elements, *vb = b + (size_t)v * elements;
    for (unsigned slot = threadIdx.x; slot < ACCUMULATORS; slot += THREADS) {
      float sum = 0.f;
      for (unsigned i = slot; i < elements; i += ACCUMULATORS) sum = fmaf(va[i], vb[i], sum);
      sums[slot] = sum;
    }
    for (unsigned stride = ACCUMULATORS / 2; stride > 0; stride /= 2) {
      __syncthreads();
      for (unsigned slot = threadIdx.x; slot < stride; slot += THREADS) sums[slot] += sums[slot + stride];
    }
    __syncthreads();
    if (threadIdx.x == 0) c[v] = sums[0];
    __syncthreads();
  }
}
