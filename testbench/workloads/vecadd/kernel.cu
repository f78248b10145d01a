// SPDX-License-Identifier: Apache-2.0
// c = a + b, one element a thread: the first sample of the NVIDIA SDK (vectorAdd).
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#define THREADS 256

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(VECADD_ATOMS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

extern "C" __global__ void __launch_bounds__(THREADS) vecadd(unsigned n, const float *a, const float *b, float *c) {
  unsigned i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
