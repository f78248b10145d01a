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
#elif !defined(TANDEM_VERSION_BASELINE) && !defined(TANDEM_VERSION_SIZED)
#error "define TANDEM_VERSION_BASELINE, _XMEM, _LDESC or _SIZED"
#endif

#if !defined(TANDEM_VERSION_SIZED)
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
#else
// The same for any number of threads, and of accumulators that is a power of two.
extern "C" __global__ void scalar_product_sized(unsigned vectors, unsigned elements, const float *a, const float *b,
                                                float *c, unsigned accumulators) {
  extern __shared__ float sums[];
  for (unsigned v = blockIdx.x; v < vectors; v += gridDim.x) {
    const float *va = a + (size_t)v * elements, *vb = b + (size_t)v * elements;
    for (unsigned slot = threadIdx.x; slot < accumulators; slot += blockDim.x) {
      float sum = 0.f;
      for (unsigned i = slot; i < elements; i += accumulators) sum = fmaf(va[i], vb[i], sum);
      sums[slot] = sum;
    }
    for (unsigned stride = accumulators / 2; stride > 0; stride /= 2) {
      __syncthreads();
      for (unsigned slot = threadIdx.x; slot < stride; slot += blockDim.x) sums[slot] += sums[slot + stride];
    }
    __syncthreads();
    if (threadIdx.x == 0) c[v] = sums[0];
    __syncthreads();
  }
}
#endif
