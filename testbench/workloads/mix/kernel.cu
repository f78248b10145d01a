// SPDX-License-Identifier: Apache-2.0
// Regular streams and random accesses to a table, side by side: out[i] = the sum of element i of every stream and of
// `gathers` words of the table. A random access is to a record of a power of two of words, which neighbouring lanes read
// together: with records of 32 words a warp asks for one line, with records of one word for 32 lines.
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"
#include "mix_hash.h"

#define THREADS 256

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(MIX_ATOMS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

// The warps of the grid take 32 elements each in turns. record_bits: words of a record, as a power of two.
extern "C" __global__ void __launch_bounds__(THREADS)
  mix(unsigned n, unsigned gathers, unsigned record_bits, unsigned records, const unsigned *stream0,
      const unsigned *stream1, const unsigned *stream2, const unsigned *stream3, const unsigned *table, unsigned *out) {
  unsigned word = threadIdx.x & ((1u << record_bits) - 1);
  for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
    unsigned sum = 0;
    for (unsigned k = 0; k < gathers; k++) {
      unsigned record = mix_hash(i >> record_bits, k) % records;
      sum += table[(record << record_bits) + word];
    }
    if (stream0) sum += stream0[i];
    if (stream1) sum += stream1[i];
    if (stream2) sum += stream2[i];
    if (stream3) sum += stream3[i];
    out[i] = sum;
  }
}
