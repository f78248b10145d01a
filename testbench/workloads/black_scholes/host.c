/* SPDX-License-Identifier: Apache-2.0 */
/* black_scholes: prices of European options, compared with the formula in double precision with erfc. Inputs are those
 * of the NVIDIA SDK: price 5..30, strike 1..100, 0.25..10 years, riskless rate 2 %, volatility 30 %. */
#include <cuda.h>

#include "atoms.h"
#include "black_scholes_args.h"
#include "black_scholes_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(BLACK_SCHOLES_ATOMS);

enum { THREADS = 256 }; /* as in kernel.cu */

/* The logarithm's error, 2^-22, is divided by volatility * sqrt(years) >= 0.15 and moves a price by at most its
 * density, 0.4, times 30 and 100: 2.5e-5 each; the polynomial adds 7.5e-8 of both, the roundings and the exponential 4
 * ulp of 100. */
static const double tolerance = 1e-4;

static float between(float low, float high, uint64_t seed, uint64_t stream, uint64_t i) {
  float share = (float)(workload_bits(seed, stream, i) >> 40) / 16777216.f;
  return low + (high - low) * share;
}

static double cumulative_normal(double d) { return 0.5 * erfc(-d * 0.70710678118654752440); }

int main(int argc, char **argv) {
  struct workload w = workload_arguments("black_scholes", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n"), ctas = (unsigned)workload_value(&w, "ctas");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t bytes = (size_t)n * sizeof(float);
  float *price = workload_alloc(&w, bytes), *strike = workload_alloc(&w, bytes), *years = workload_alloc(&w, bytes);
  float *call = workload_alloc(&w, bytes), *put = workload_alloc(&w, bytes), riskless = 0.02f, volatility = 0.3f;
  for (unsigned i = 0; i < n; i++) {
    price[i] = between(5, 30, seed, 1, i);
    strike[i] = between(1, 100, seed, 2, i);
    years[i] = between(0.25f, 10, seed, 3, i);
  }

  CUfunction kernel = workload_open(&w, "black_scholes");
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_price = workload_upload_atom(&w, &atoms, BLACK_SCHOLES_PRICE, price, bytes);
  CUdeviceptr device_strike = workload_upload_atom(&w, &atoms, BLACK_SCHOLES_STRIKE, strike, bytes);
  CUdeviceptr device_years = workload_upload_atom(&w, &atoms, BLACK_SCHOLES_YEARS, years, bytes);
  CUdeviceptr device_call = workload_upload_atom(&w, &atoms, BLACK_SCHOLES_CALL, NULL, bytes);
  CUdeviceptr device_put = workload_upload_atom(&w, &atoms, BLACK_SCHOLES_PUT, NULL, bytes);
  unsigned wanted = (n - 1) / THREADS + 1;
  workload_launch(
    &w, kernel, ctas < wanted ? ctas : wanted, THREADS,
    (void *[]){&n, &riskless, &volatility, &device_price, &device_strike, &device_years, &device_call, &device_put});
  workload_download(&w, call, device_call, bytes);
  workload_download(&w, put, device_put, bytes);

  struct workload_comparison comparison = {0};
  for (unsigned i = 0; i < n; i++) {
    double s = price[i], x = strike[i], t = years[i], r = riskless, v = volatility, spread = v * sqrt(t);
    double d1 = (log(s / x) + (r + 0.5 * v * v) * t) / spread, d2 = d1 - spread, discounted = x * exp(-r * t);
    double want = s * cumulative_normal(d1) - discounted * cumulative_normal(d2);
    workload_compare(&comparison, i, call[i], (float)want, tolerance);
    want = discounted * cumulative_normal(-d2) - s * cumulative_normal(-d1);
    workload_compare(&comparison, n + (size_t)i, put[i], (float)want, tolerance);
  }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u", n);
  workload_close(&w);
  free(price), free(strike), free(years), free(call), free(put);
  return workload_verdict(&w, sizes, &comparison);
}
