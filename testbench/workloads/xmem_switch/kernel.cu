// SPDX-License-Identifier: Apache-2.0
// One step of a sequence a word: x = a x + table[a place that depends on the word]; whole numbers, so that any order of
// launches of two processes gives one result (ours: what a switch of contexts costs, Vijaykumar 2019, 2.4.4).
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#define THREADS 256

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(XMEM_SWITCH_ATOMS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
  xmem_switch(unsigned n, unsigned *data, const unsigned *table, unsigned entries) {
  unsigned i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n) data[i] = data[i] * 1664525u + table[i * 2654435761u % entries];
}
