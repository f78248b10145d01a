// SPDX-License-Identifier: Apache-2.0
// Histogram of many bins, which saturate at 255, range by range (histo of Parboil, Stratton 2012, its main idea): a first kernel
// says of every pixel which range of bins it belongs to, and where in it. Then the CTAs of one column of the grid all read the
// same of these mappings, each for its own range, which it counts in shared memory. Parboil packs four counters in a word.
#include "ldesc.h"
#include "tandem_device.h"

#include "descriptors.h"

#define THREADS 512
#define RANGE 2048 // bins that a CTA counts

#if defined(TANDEM_VERSION_LDESC)
LDESC_TABLE(HISTO_DESCRIPTORS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_LDESC"
#endif

// x: range, y and z: the bin in it, high and low byte
extern "C" __global__ void __launch_bounds__(THREADS)
  histo_mappings(unsigned n, const unsigned *pixel, uchar4 *sm_mappings) {
  unsigned i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= n) return;
  unsigned bin = pixel[i], own = bin % RANGE;
  sm_mappings[i] = make_uchar4((unsigned char)(bin / RANGE), (unsigned char)(own / 256), (unsigned char)(own % 256), 0);
}

// count: of whole ranges
extern "C" __global__ void __launch_bounds__(THREADS)
  histo_main(unsigned n, const uchar4 *sm_mappings, unsigned *count) {
  __shared__ unsigned own[RANGE];
  for (unsigned i = threadIdx.x; i < RANGE; i += THREADS) own[i] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    uchar4 sm = sm_mappings[i];
    if (sm.x == blockIdx.y) atomicAdd(&own[sm.y * 256 + sm.z], 1u);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < RANGE; i += THREADS)
    if (own[i]) atomicAdd(&count[blockIdx.y * RANGE + i], own[i]);
}

extern "C" __global__ void __launch_bounds__(THREADS)
  histo_final(unsigned bins, const unsigned *count, unsigned char *histogram) {
  unsigned i = blockIdx.x * THREADS + threadIdx.x;
  if (i < bins) histogram[i] = (unsigned char)min(count[i], 255u);
}
