// SPDX-License-Identifier: Apache-2.0
// Histogram of n bytes, read as words, over 64 or 256 bins (bins < 256 take the upper bits): partial
// histograms of CTAs, then a merge (Podlozhnyuk, "Histogram calculation in CUDA", 2007; NVIDIA SDK,
// histogram). Bytes beyond n in the last word are not counted.
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#define MERGE_THREADS 256

#if defined(TANDEM_VERSION_XMEM) // the kernel of `warp`, labelled
XMEM_ATOM_TABLE(HISTOGRAM_ATOMS)
#endif

// One CTA a bin.
extern "C" __global__ void __launch_bounds__(MERGE_THREADS)
  histogram_merge(unsigned partials, unsigned bins, const unsigned *partial, unsigned *histogram) {
  __shared__ unsigned sums[MERGE_THREADS];
  unsigned t = threadIdx.x, sum = 0;
  for (unsigned i = t; i < partials; i += MERGE_THREADS) sum += partial[i * bins + blockIdx.x];
  sums[t] = sum;
  for (unsigned s = MERGE_THREADS / 2; s > 0; s /= 2) {
    __syncthreads();
    if (t < s) sums[t] += sums[t + s];
  }
  if (t == 0) histogram[blockIdx.x] = sums[0];
}

#if defined(TANDEM_VERSION_WARP) || defined(TANDEM_VERSION_CTA) || defined(TANDEM_VERSION_XMEM)

// Shared atomics: a sub-histogram a warp (histogram256 of the SDK), or one for the whole CTA.
#define THREADS 192
#if !defined(TANDEM_VERSION_CTA)
#define COPIES (THREADS / 32)
#else
#define COPIES 1
#endif
extern "C" __global__ void __launch_bounds__(THREADS)
  histogram(unsigned n, unsigned bins, const unsigned *words, unsigned *partial) {
  __shared__ unsigned counts[COPIES * 256];
  unsigned shift = bins == 64 ? 2 : 0;
  unsigned *mine = counts + (COPIES == 1 ? 0 : threadIdx.x / 32 * bins);
  for (unsigned i = threadIdx.x; i < COPIES * bins; i += THREADS) counts[i] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * THREADS + threadIdx.x; 4 * i < n; i += gridDim.x * THREADS) {
    unsigned word = words[i], valid = min(n - 4 * i, 4u);
    for (unsigned k = 0; k < valid; k++, word >>= 8) atomicAdd(&mine[(word & 255) >> shift], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < bins; bin += THREADS) {
    unsigned sum = 0;
    for (unsigned copy = 0; copy < COPIES; copy++) sum += counts[copy * bins + bin];
    partial[blockIdx.x * bins + bin] = sum;
  }
}

#elif defined(TANDEM_VERSION_THREAD)

// No atomics: a byte a bin and thread (histogram64 of the SDK), added up before any can overflow.
// counts[bin][thread], so that the 32 threads of a warp use eight banks for a bin.
extern "C" __global__ void __launch_bounds__(64)
  histogram(unsigned n, unsigned bins, const unsigned *words, unsigned *partial) {
  __shared__ unsigned counts[64 * 64 / 4]; // 64 threads with 64 bins, or 16 threads with 256
  unsigned char *bytes = (unsigned char *)counts;
  unsigned threads = blockDim.x, t = threadIdx.x, shift = bins == 64 ? 2 : 0;
  for (unsigned bin = t; bin < bins; bin += threads) partial[blockIdx.x * bins + bin] = 0;
  // 63 words a thread at a time: at most 252 in a byte
  unsigned chunk = 63 * threads;
  for (unsigned base = blockIdx.x * chunk; 4 * base < n; base += gridDim.x * chunk) {
    for (unsigned i = t; i < 64 * 64 / 4; i += threads) counts[i] = 0;
    __syncthreads();
    for (unsigned i = base + t; i < base + chunk && 4 * i < n; i += threads) {
      unsigned word = words[i], valid = min(n - 4 * i, 4u);
      for (unsigned k = 0; k < valid; k++, word >>= 8) bytes[((word & 255) >> shift) * threads + t]++;
    }
    __syncthreads();
    // every thread sums bins; it begins at its own column, or all would begin in one bank
    for (unsigned bin = t; bin < bins; bin += threads) {
      unsigned sum = 0;
      for (unsigned i = 0; i < threads; i++) sum += bytes[bin * threads + (i + 4 * t) % threads];
      partial[blockIdx.x * bins + bin] += sum;
    }
    __syncthreads();
  }
}

#else
#error "define TANDEM_VERSION_WARP, _CTA, _THREAD or _XMEM"
#endif
