// SPDX-License-Identifier: Apache-2.0
// out[i] = table[index[i]]: accesses without locality decide.
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#define THREADS 256

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(GATHER_ATOMS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
  gather(unsigned n, const unsigned *index, const float *table, float *out) {
  unsigned i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n) out[i] = table[index[i]];
}
