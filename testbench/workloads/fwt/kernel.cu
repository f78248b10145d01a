// SPDX-License-Identifier: Apache-2.0
// Fast Walsh-Hadamard transform in natural order, in place, four elements a thread (NVIDIA SDK,
// fastWalshTransform): passes in global memory halve the distance twice each, until what is left of
// the transform fits in shared memory; a product of two spectra in between makes a dyadic convolution.
#include "tandem_device.h"

#define THREADS 256
#define SHARED_THREADS 512 // of 2048 elements, 8 KB

#if !defined(TANDEM_VERSION_BASELINE) && !defined(TANDEM_VERSION_IN_ORDER) && !defined(TANDEM_VERSION_D2MA)
#error "define TANDEM_VERSION_BASELINE, TANDEM_VERSION_IN_ORDER or TANDEM_VERSION_D2MA"
#endif

// Two levels at once: distances 2 `stride` and `stride`.
static __device__ __forceinline__ void butterfly(float *a, unsigned stride) {
  float *b = a + stride, *c = b + stride, *d = c + stride;
  float even = *a + *c, even_difference = *a - *c, odd = *b + *d, odd_difference = *b - *d;
  *a = even + odd;
  *b = even - odd;
  *c = even_difference + odd_difference;
  *d = even_difference - odd_difference;
}

// Thread i's first element: the bits of i below `stride` stay, those above make room for two.
static __device__ __forceinline__ unsigned first(unsigned i, unsigned stride) {
  unsigned low = i & (stride - 1);
  return ((i - low) << 2) + low;
}

extern "C" __global__ void __launch_bounds__(THREADS) fwt_global(unsigned quarter, unsigned stride, float *data) {
  unsigned i = blockIdx.x * THREADS + threadIdx.x;
  if (i < quarter) butterfly(data + first(i, stride), stride);
}

// A CTA transforms 4 x blockDim.x elements, a power of two.
extern "C" __global__ void __launch_bounds__(SHARED_THREADS) fwt_shared(float *data) {
  __shared__ float part[4 * SHARED_THREADS];
  unsigned t = threadIdx.x, quarter = blockDim.x, stride = quarter;
  data += (size_t)blockIdx.x * 4 * quarter;
#if defined(TANDEM_VERSION_D2MA)
  dma_set_datatype_float();
  dma_configure_flat_unit_stride(part, data, 4 * quarter); // the first butterflies wait for it
#elif defined(TANDEM_VERSION_IN_ORDER)                     // as in the SDK's source
  for (unsigned i = t; i < 4 * quarter; i += quarter) part[i] = data[i];
  __syncthreads();
#else
  float v[4]; // all are asked for before the first is stored
  for (unsigned i = 0; i < 4; i++) v[i] = data[i * quarter + t];
  for (unsigned i = 0; i < 4; i++) part[i * quarter + t] = v[i];
  __syncthreads();
#endif
  for (; stride > 0; stride >>= 2) {
    butterfly(part + first(t, stride), stride);
    __syncthreads();
  }
  // the strides quarter, quarter / 4, ... end at 1, or at 2 and leave the last level
  if (__popc(quarter - 1) & 1) {
    for (unsigned i = 2 * t; i < 4 * quarter; i += 2 * quarter) {
      float a = part[i], b = part[i + 1];
      part[i] = a + b;
      part[i + 1] = a - b;
    }
    __syncthreads();
  }
  for (unsigned i = t; i < 4 * quarter; i += quarter) data[i] = part[i];
}

extern "C" __global__ void __launch_bounds__(THREADS)
  fwt_multiply(unsigned n, float scale, float *data, const float *kernel) {
  for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) data[i] *= scale * kernel[i];
}
