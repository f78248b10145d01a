/* SPDX-License-Identifier: Apache-2.0 */
/* weather: ten steps of clouds and rain, compared with the same columns in double; water is neither lost nor made. */
#include <cuda.h>

#include "weather_args.h"
#include "weather_ptx.h"
#include "workload.h"

enum { LEVELS = 32, FIELDS = 4, TEMPERATURE = 0, VAPOUR, CLOUD, RAIN };

static double saturation(double t, double pressure) {
  double c = t - 273.16;
  return 3.8 * exp(17.27 * c / (c + 237.3)) / pressure;
}

static void diffuse(double *x, double k) {
  double upper[LEVELS], pivot = 1 + k;
  upper[0] = -k / pivot;
  x[0] /= pivot;
  for (int i = 1; i < LEVELS; i++) {
    pivot = 1 + (i == LEVELS - 1 ? k : 2 * k) + k * upper[i - 1];
    upper[i] = -k / pivot;
    x[i] = (x[i] + k * x[i - 1]) / pivot;
  }
  for (int i = LEVELS - 2; i >= 0; i--) x[i] -= upper[i] * x[i + 1];
}

static void step(double f[FIELDS][LEVELS], const float *pressure, double dt, double *fallen) {
  double flux[LEVELS + 1] = {0};
  for (int i = 0; i < LEVELS; i++) {
    double saturated = saturation(f[TEMPERATURE][i], pressure[i]);
    double condensed = fmax((f[VAPOUR][i] - saturated) * 0.4, -f[CLOUD][i]);
    f[VAPOUR][i] -= condensed, f[CLOUD][i] += condensed, f[TEMPERATURE][i] += 2.5 * condensed;
    double qc = f[CLOUD][i], qr = f[RAIN][i],
           grown = fmin(qc, dt * (1e-3 * fmax(qc - 0.5, 0) + 2.2e-3 * qc * sqrt(qr)));
    f[CLOUD][i] -= grown, qr += grown;
    double dried = fmin(qr, dt * 5e-4 * fmax(saturated - f[VAPOUR][i], 0) * sqrt(qr));
    f[RAIN][i] = qr - dried, f[VAPOUR][i] += dried, f[TEMPERATURE][i] -= 2.5 * dried;
  }
  for (int i = 0; i < LEVELS; i++)
    flux[i] = fmin(f[RAIN][i], f[RAIN][i] * sqrt(sqrt(f[RAIN][i])) * dt * 0.02 / pressure[i]);
  for (int i = 0; i < LEVELS; i++) f[RAIN][i] += flux[i + 1] - flux[i];
  *fallen += flux[0];
  diffuse(f[TEMPERATURE], 0.05);
  diffuse(f[VAPOUR], 0.05);
  diffuse(f[CLOUD], 0.02);
}

static void initial(const struct workload *w, float *field[FIELDS], float *pressure, unsigned columns) {
  uint64_t seed = (uint64_t)workload_value(w, "seed");
  for (unsigned i = 0; i < LEVELS; i++) {
    pressure[i] = 1.f - 0.025f * (float)i;
    for (unsigned c = 0; c < columns; c++) {
      size_t at = (size_t)i * columns + c;
      field[TEMPERATURE][at] = 295.f - 1.8f * (float)i + workload_input(seed, 1, at);
      field[VAPOUR][at] =
        (float)saturation(field[TEMPERATURE][at], pressure[i]) * (0.95f + 0.15f * workload_input(seed, 2, at));
      field[CLOUD][at] = fmaxf(0.f, workload_input(seed, 3, at));
      field[RAIN][at] = fmaxf(0.f, 0.5f * workload_input(seed, 4, at));
    }
  }
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("weather", argc, argv);
  unsigned ctas_x = (unsigned)workload_value(&w, "ctas_x"), ctas_y = (unsigned)workload_value(&w, "ctas_y");
  unsigned columns = 64 * ctas_x * ctas_y, steps = (unsigned)workload_value(&w, "steps");
  size_t n = (size_t)columns * LEVELS;
  float pressure[LEVELS], *field[FIELDS], dt = 10.f, *fallen = workload_alloc(&w, columns * sizeof *fallen);
  for (int f = 0; f < FIELDS; f++) field[f] = workload_alloc(&w, n * 4);
  initial(&w, field, pressure, columns);

  CUfunction kernel = workload_open(&w, "weather_step");
  CUdeviceptr d_pressure = workload_upload(&w, pressure, sizeof pressure), d[FIELDS];
  CUdeviceptr d_fallen = workload_upload(&w, fallen, columns * sizeof *fallen);
  for (int f = 0; f < FIELDS; f++) d[f] = workload_upload(&w, field[f], n * 4);
  for (unsigned s = 0; s < steps; s++)
    workload_launch_shape(&w, kernel, (struct workload_shape){ctas_x, ctas_y, 1}, (struct workload_shape){8, 8, 1}, 0,
                          (void *[]){&columns, &dt, &d_pressure, &d[0], &d[1], &d[2], &d[3], &d_fallen});
  float *got = workload_alloc(&w, n * 4 * FIELDS);
  for (int f = 0; f < FIELDS; f++) workload_download(&w, got + (size_t)f * n, d[f], n * 4);
  workload_download(&w, fallen, d_fallen, columns * sizeof *fallen);

  struct workload_comparison comparison = {0};
  for (unsigned c = 0; c < columns; c++) {
    double column[FIELDS][LEVELS], ground = 0;
    for (int f = 0; f < FIELDS; f++)
      for (int i = 0; i < LEVELS; i++) column[f][i] = field[f][(size_t)i * columns + c];
    for (unsigned s = 0; s < steps; s++) step(column, pressure, dt, &ground);
    workload_compare(&comparison, n * FIELDS + c, fallen[c], (float)ground, 1e-3);
    for (int f = 0; f < FIELDS; f++)
      for (int i = 0; i < LEVELS; i++) {
        size_t at = (size_t)i * columns + c;
        workload_compare(&comparison, (size_t)f * n + at, got[(size_t)f * n + at], (float)column[f][i],
                         f == TEMPERATURE ? 2e-3 : 1e-3);
      }
  }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "columns=%u steps=%u", columns, steps);
  workload_close(&w);
  for (int f = 0; f < FIELDS; f++) free(field[f]);
  free(got), free(fallen);
  return workload_verdict(&w, sizes, &comparison);
}
