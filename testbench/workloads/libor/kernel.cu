// SPDX-License-Identifier: Apache-2.0
// Monte Carlo evaluation of a portfolio of swaptions in the LIBOR market model and of its sensitivities to the
// initial forward rates, a thread a path (Giles, Glasserman, "Smoking adjoints", Risk 2006; Giles's CUDA program is
// LIB of Bakhoda 2009). The rates of a path, and for the sensitivities its whole history, are in local
// memory, the model in constant memory.
#include "ldesc.h"
#include "tandem_device.h"

#include "descriptors.h"

#define THREADS 64
#define RATES 80 // forward rates
#define STEPS 40 // time steps to the first option's maturity
#define OPTIONS 15
#define HISTORY (STEPS * (2 * RATES - STEPS + 1) / 2) // rates that are still open at each step

#if defined(TANDEM_VERSION_LDESC)
LDESC_TABLE(LIBOR_DESCRIPTORS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_LDESC"
#endif

struct libor_model {
  float accrual, volatility[RATES], rate[RATES], swap_rate[OPTIONS];
  unsigned maturity[OPTIONS]; // in accrual periods after the last step
};
extern "C" {
__constant__ libor_model libor;
}

// A path: rate i moves with drift until step i. history: the rates before every step, or NULL.
static __device__ __forceinline__ void libor_path(unsigned path, unsigned paths, const float *normal, float *rate,
                                                  float *history) {
  float accrual = libor.accrual, root = sqrtf(accrual);
  for (unsigned i = 0; i < RATES; i++) rate[i] = libor.rate[i];
  for (unsigned n = 0; n < STEPS; n++) {
    float shock = root * normal[n * paths + path], drift = 0.f;
    for (unsigned i = n; i < RATES; i++) {
      if (history) *history++ = rate[i];
      if (i == n) continue;
      float sigma = libor.volatility[i - n - 1], step = accrual * sigma;
      drift += step * rate[i] / (1.f + accrual * rate[i]);
      rate[i] *= expf(fmaf(step, drift, sigma * (shock - 0.5f * step)));
    }
  }
}

// The discounted losses of the swaptions; with `discount` and `annuity` of each maturity.
static __device__ __forceinline__ float libor_portfolio(const float *rate, float *discount, float *annuity) {
  float b = 1.f, s = 0.f, value = 0.f, accrual = libor.accrual;
  for (unsigned n = STEPS; n < RATES; n++) {
    b /= 1.f + accrual * rate[n];
    s += accrual * b;
    discount[n - STEPS] = b;
    annuity[n - STEPS] = s;
  }
  for (unsigned i = 0; i < OPTIONS; i++) {
    unsigned m = libor.maturity[i] - 1;
    float swap = discount[m] + libor.swap_rate[i] * annuity[m] - 1.f;
    if (swap < 0.f) value -= 100.f * swap;
  }
  for (unsigned n = 0; n < STEPS; n++) value /= 1.f + accrual * rate[n];
  return value;
}

extern "C" __global__ void __launch_bounds__(THREADS) libor_value(unsigned paths, const float *normal, float *value) {
  float rate[RATES], discount[RATES - STEPS], annuity[RATES - STEPS];
  unsigned path = blockIdx.x * THREADS + threadIdx.x;
  if (path >= paths) return;
  libor_path(path, paths, normal, rate, nullptr);
  value[path] = libor_portfolio(rate, discount, annuity);
}

// Adjoint of libor_portfolio: d value / d rate into bar.
static __device__ __forceinline__ void libor_portfolio_adjoint(const float *rate, float value, const float *discount,
                                                               const float *annuity, float *bar) {
  float accrual = libor.accrual, scale = 1.f, discount_bar[RATES - STEPS], annuity_bar[RATES - STEPS];
  for (unsigned n = 0; n < STEPS; n++) {
    float growth = 1.f + accrual * rate[n];
    scale /= growth;
    bar[n] = -value * accrual / growth;
  }
  for (unsigned m = 0; m < RATES - STEPS; m++) discount_bar[m] = annuity_bar[m] = 0.f;
  for (unsigned i = 0; i < OPTIONS; i++) {
    unsigned m = libor.maturity[i] - 1;
    if (discount[m] + libor.swap_rate[i] * annuity[m] - 1.f < 0.f) {
      discount_bar[m] -= 100.f * scale;
      annuity_bar[m] -= 100.f * scale * libor.swap_rate[i];
    }
  }
  float b_bar = 0.f, s_bar = 0.f;
  for (unsigned m = RATES - STEPS; m-- > 0;) {
    s_bar += annuity_bar[m];
    b_bar += discount_bar[m] + accrual * s_bar;
    float growth = 1.f + accrual * rate[STEPS + m];
    bar[STEPS + m] = -b_bar * discount[m] * accrual / growth;
    b_bar /= growth;
  }
}

// delta: d value / d initial rate, a row of `paths` a rate
extern "C" __global__ void __launch_bounds__(THREADS)
  libor_delta(unsigned paths, const float *normal, float *value, float *delta) {
  float rate[RATES], bar[RATES], history[HISTORY], discount[RATES - STEPS], annuity[RATES - STEPS];
  unsigned path = blockIdx.x * THREADS + threadIdx.x;
  if (path >= paths) return;
  libor_path(path, paths, normal, rate, history);
  float v = libor_portfolio(rate, discount, annuity), accrual = libor.accrual;
  value[path] = v;
  libor_portfolio_adjoint(rate, v, discount, annuity, bar);
  const float *before = history + HISTORY;
  for (unsigned n = STEPS; n-- > 0;) {
    before -= RATES - n; // rates n .. RATES - 1 before step n
    float sum = 0.f;
    for (unsigned i = RATES - 1; i > n; i--) {
      float step = accrual * libor.volatility[i - n - 1], old = before[i - n], growth = 1.f + accrual * old;
      float product = bar[i] * rate[i];
      sum += step * product;
      bar[i] = product / old + step * sum / (growth * growth);
      rate[i] = old;
    }
  }
  for (unsigned i = 0; i < RATES; i++) delta[i * paths + path] = bar[i];
}
