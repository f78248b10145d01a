// SPDX-License-Identifier: Apache-2.0
// Levels of the orthonormal Haar wavelet transform of a signal of 2^k samples (NVIDIA SDK, dwtHaar1D).
// A CTA takes 2 T samples (T = its threads) down to one; the host continues with what the CTAs leave.
// Output: the approximation at 0, then the details from the coarsest level (1 value) to the finest.
#include "tandem_device.h"

#define THREADS 512

#if !defined(TANDEM_VERSION_BASELINE) && !defined(TANDEM_VERSION_IN_ORDER) && !defined(TANDEM_VERSION_D2MA)
#error "define TANDEM_VERSION_BASELINE, TANDEM_VERSION_IN_ORDER or TANDEM_VERSION_D2MA"
#endif

// `length` samples `in`; details of the first level to out[length / 2 ...], of the second to
// out[length / 4 ...]; the CTA's approximation to left[blockIdx.x].
extern "C" __global__ void __launch_bounds__(THREADS) haar(unsigned length, const float *in, float *out, float *left) {
  __shared__ float samples[2 * THREADS];
  const float root = 0.707106781f; // 1 / sqrt 2
  unsigned t = threadIdx.x, threads = blockDim.x;
  in += blockIdx.x * 2 * threads;
#if defined(TANDEM_VERSION_D2MA)
  dma_set_datatype_float();
  dma_configure_flat_unit_stride(samples, in, 2 * threads); // the first pairs wait for it
#elif defined(TANDEM_VERSION_IN_ORDER)                      // as in the SDK's source
  samples[t] = in[t];
  samples[t + threads] = in[threads + t];
  __syncthreads();
#else
  float first = in[t], second = in[threads + t];
  samples[t] = first;
  samples[t + threads] = second;
  __syncthreads();
#endif
  for (unsigned pairs = threads, level = length / 2;; level /= 2) {
    float a = 0.f, b = 0.f;
    if (t < pairs) a = samples[2 * t], b = samples[2 * t + 1];
    __syncthreads();
    if (t < pairs) {
      samples[t] = (a + b) * root;
      out[level + blockIdx.x * pairs + t] = (a - b) * root;
    }
    pairs /= 2;
    if (!pairs) break;
    __syncthreads();
  }
  if (t == 0) left[blockIdx.x] = samples[0];
}
