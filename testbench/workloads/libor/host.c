/* SPDX-License-Identifier: Apache-2.0 */
/* libor: the value of a portfolio of swaptions on many paths, compared path by path with the model in double precision
 * and, with delta=1, its sensitivities to the initial rates with the derivatives carried forward along the path (the
 * kernel carries adjoints backward). The model is Giles's: 80 rates of 5 %, volatility 20 %, quarters, 40 steps. */
#include <cuda.h>

#include "descriptors.h"
#include "libor_args.h"
#include "libor_ptx.h"
#include "workload.h"
#include "workload_ldesc.h"

LDESC_IDS(LIBOR_DESCRIPTORS);

enum { THREADS = 64, RATES = 80, STEPS = 40, OPTIONS = 15 }; /* as in kernel.cu */

/* A path multiplies its rates by 40 exponentials of 4 ulp and divides by 80 factors: 240 2^-24 of values and sensitivities
 * below 140. A path that ends this close to a strike has no derivative there and is left out. */
static const double tolerance = 2e-3, strike_distance = 1e-5;

struct model { /* struct libor_model of kernel.cu */
  float accrual, volatility[RATES], rate[RATES], swap_rate[OPTIONS];
  uint32_t maturity[OPTIONS];
};

static void describe(struct model *m) {
  static const uint32_t maturities[] = {4, 8, 20, 28, 40};
  static const float rates[] = {0.045f, 0.05f, 0.055f};
  m->accrual = 0.25f;
  for (unsigned i = 0; i < RATES; i++) m->rate[i] = 0.05f, m->volatility[i] = 0.2f;
  for (unsigned i = 0; i < OPTIONS; i++) m->maturity[i] = maturities[i / 3], m->swap_rate[i] = rates[i % 3];
}

/* A rate, or a price, and its derivative to the initial rate `of`. */
struct dual {
  double value, slope;
};
static struct dual divide(struct dual a, struct dual b) {
  double value = a.value / b.value;
  return (struct dual){value, (a.slope - value * b.slope) / b.value};
}

static void walk(const struct model *m, const float *normal, unsigned path, unsigned paths, unsigned of,
                 struct dual *rate) {
  double accrual = m->accrual;
  for (unsigned i = 0; i < RATES; i++) rate[i] = (struct dual){m->rate[i], i == of};
  for (unsigned n = 0; n < STEPS; n++) {
    double shock = sqrt(accrual) * normal[(size_t)n * paths + path], drift = 0, drift_slope = 0;
    for (unsigned i = n + 1; i < RATES; i++) {
      double sigma = m->volatility[i - n - 1], step = accrual * sigma, growth = 1 + accrual * rate[i].value;
      drift += step * rate[i].value / growth;
      drift_slope += step * rate[i].slope / (growth * growth);
      double factor = exp(step * drift + sigma * (shock - 0.5 * step));
      rate[i].slope = factor * (rate[i].slope + rate[i].value * step * drift_slope);
      rate[i].value *= factor;
    }
  }
}

/* *near_strike: a swaption is so close to its strike that rounding decides whether it counts. */
static struct dual portfolio(const struct model *m, const struct dual *rate, int *near_strike) {
  struct dual discount[RATES - STEPS + 1] = {{1, 0}}, annuity[RATES - STEPS + 1] = {{0, 0}}, sum = {0, 0};
  double accrual = m->accrual;
  *near_strike = 0;
  for (unsigned k = 1; k <= RATES - STEPS; k++) {
    struct dual r = rate[STEPS + k - 1];
    discount[k] = divide(discount[k - 1], (struct dual){1 + accrual * r.value, accrual * r.slope});
    annuity[k].value = annuity[k - 1].value + accrual * discount[k].value;
    annuity[k].slope = annuity[k - 1].slope + accrual * discount[k].slope;
  }
  for (unsigned i = 0; i < OPTIONS; i++) {
    unsigned k = m->maturity[i];
    double swap = discount[k].value + (double)m->swap_rate[i] * annuity[k].value - 1;
    *near_strike |= fabs(swap) < strike_distance;
    if (swap >= 0) continue;
    sum.value -= 100 * swap;
    sum.slope -= 100 * (discount[k].slope + (double)m->swap_rate[i] * annuity[k].slope);
  }
  for (unsigned n = 0; n < STEPS; n++)
    sum = divide(sum, (struct dual){1 + accrual * rate[n].value, accrual * rate[n].slope});
  return sum;
}

/* Shocks of variance 1: twelve uniform numbers less their mean, computed without the host's mathematics. */
static float normal_input(uint64_t seed, uint64_t i) {
  int32_t sum = 0;
  for (unsigned k = 0; k < 12; k++) sum += (int32_t)(workload_bits(seed, 1 + k, i) >> 48);
  return (float)(sum - 6 * 65536) / 65536.f;
}

static void describe_data(const struct workload *w, unsigned paths, CUdeviceptr normal, CUdeviceptr value,
                          CUdeviceptr delta) {
  struct ldesc l = workload_ldesc(w);
  struct workload_shape steps = {paths, STEPS, 1}, rates = {paths, RATES, 1}, one = {1, 1, 1};
  size_t bytes = paths * sizeof(float);
  workload_describe_local(w, &l, LDESC_INTRA_THREAD, 20);
  workload_describe(w, &l, LIBOR_LDESC_NORMAL, normal, STEPS * bytes,
                    workload_tile(steps, (struct workload_shape){THREADS, STEPS, 1}, one), 0);
  workload_describe(w, &l, LIBOR_LDESC_VALUE, value, bytes, workload_tile_row(paths, THREADS), 0);
  workload_describe(w, &l, LIBOR_LDESC_DELTA, delta, RATES * bytes,
                    workload_tile(rates, (struct workload_shape){THREADS, RATES, 1}, one), 0);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("libor", argc, argv);
  unsigned paths = (unsigned)workload_value(&w, "paths");
  int mode = (int)workload_value(&w, "delta"); /* 0 values, 1 with sensitivities, 2 one after the other */
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t normal_bytes = (size_t)paths * STEPS * sizeof(float), delta_bytes = (size_t)paths * RATES * sizeof(float);
  float *normal = workload_alloc(&w, normal_bytes), *value = workload_alloc(&w, paths * sizeof *value);
  float *delta = workload_alloc(&w, delta_bytes);
  struct model model;
  describe(&model);
  for (size_t i = 0; i < (size_t)paths * STEPS; i++) normal[i] = normal_input(seed, i);

  CUfunction values = workload_open(&w, "libor_value"), sensitivities = workload_kernel(&w, "libor_delta");
  CUdeviceptr constant, device_normal = workload_upload(&w, normal, normal_bytes);
  CUdeviceptr device_value = workload_upload(&w, NULL, paths * sizeof *value);
  CUdeviceptr device_delta = workload_upload(&w, NULL, delta_bytes);
  WORKLOAD_PREPARE(&w, cuModuleGetGlobal(&constant, NULL, w.module, "libor"));
  WORKLOAD_PREPARE(&w, cuMemcpyHtoD(constant, &model, sizeof model));
  unsigned ctas = (paths - 1) / THREADS + 1;
  describe_data(&w, paths, device_normal, device_value, device_delta);
  if (mode != 1) workload_launch(&w, values, ctas, THREADS, (void *[]){&paths, &device_normal, &device_value});
  if (mode)
    workload_launch(&w, sensitivities, ctas, THREADS, (void *[]){&paths, &device_normal, &device_value, &device_delta});
  workload_download(&w, value, device_value, paths * sizeof *value);
  workload_download(&w, delta, device_delta, delta_bytes);

  struct workload_comparison comparison = {0};
  double mean = 0;
  for (unsigned path = 0; path < paths; path++) {
    struct dual rate[RATES];
    int near_strike;
    unsigned of = path * 7 % RATES; /* one derivative a path; all of them over many paths */
    walk(&model, normal, path, paths, of, rate);
    struct dual want = portfolio(&model, rate, &near_strike);
    workload_compare(&comparison, path, value[path], (float)want.value, tolerance);
    if (mode && !near_strike)
      workload_compare(&comparison, paths + (size_t)path, delta[(size_t)of * paths + path], (float)want.slope,
                       tolerance);
    mean += (double)value[path] / paths;
  }
  char sizes[96];
  snprintf(sizes, sizeof sizes, "paths=%u delta=%d mean=%.4f", paths, mode, mean);
  workload_close(&w);
  free(normal), free(value), free(delta);
  return workload_verdict(&w, sizes, &comparison);
}
