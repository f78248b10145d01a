// SPDX-License-Identifier: Apache-2.0
// European call and put prices by the formula of Black and Scholes (1973), options in the loop of a fixed
// grid of threads, as the NVIDIA SDK's BlackScholes (BLK of Yuan 2009). The cumulative normal distribution is
// Hastings's polynomial, Abramowitz and Stegun 26.2.17, absolute error below 7.5e-8.
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#define THREADS 256

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(BLACK_SCHOLES_ATOMS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

static __device__ __forceinline__ float cumulative_normal(float d) {
  float k = 1.f / fmaf(0.2316419f, fabsf(d), 1.f);
  float sum =
    fmaf(k, fmaf(k, fmaf(k, fmaf(k, 1.330274429f, -1.821255978f), 1.781477937f), -0.356563782f), 0.319381530f);
  float tail = 0.39894228040143267794f * expf(-0.5f * d * d) * (k * sum);
  return d > 0.f ? 1.f - tail : tail;
}

extern "C" __global__ void __launch_bounds__(THREADS)
  black_scholes(unsigned n, float riskless, float volatility, const float *price, const float *strike,
                const float *years, float *call, float *put) {
  for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
    float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
    float d1 = (logf(s / x) + (riskless + 0.5f * volatility * volatility) * t) / (volatility * root);
    float d2 = d1 - volatility * root;
    float n1 = cumulative_normal(d1), n2 = cumulative_normal(d2), discounted = x * expf(-riskless * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.f - n2) - s * (1.f - n1);
  }
}
