// SPDX-License-Identifier: Apache-2.0
// Clouds and rain of a weather model, column by column: condensation, growth of drops, rain that falls, heat that diffuses.
// A thread keeps the profiles of its column and what it solves for in local memory, as the microphysics of weather codes do.
// After WP of Bakhoda 2009 and Yuan 2009, section 5 (4,608 columns in 9 x 8 CTAs of 8 x 8, ten steps); the physics is a small
// warm-rain scheme of our own after Kessler 1969.
#include "tandem_device.h"

#define LEVELS 32

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

// Water that air of temperature t (K) holds, g/kg, at the level's pressure factor.
static __device__ __forceinline__ float weather_saturation(float t, float pressure) {
  float c = t - 273.16f;
  return 3.8f * expf(17.27f * c / (c + 237.3f)) / pressure;
}

// Implicit diffusion of `x` with strength k: a tridiagonal system, solved in place.
static __device__ __forceinline__ void weather_diffuse(float *x, float k, float *upper) {
  float pivot = 1.f + k;
  upper[0] = -k / pivot;
  x[0] /= pivot;
  for (int i = 1; i < LEVELS; i++) {
    pivot = 1.f + (i == LEVELS - 1 ? k : 2.f * k) + k * upper[i - 1];
    upper[i] = -k / pivot;
    x[i] = (x[i] + k * x[i - 1]) / pivot;
  }
  for (int i = LEVELS - 2; i >= 0; i--) x[i] -= upper[i] * x[i + 1];
}

// Fields are [level][column]: temperature (K), vapour, cloud, rain (g/kg); `fallen` is the rain that reached the ground.
extern "C" __global__ void __launch_bounds__(64)
  weather_step(unsigned columns, float dt, const float *pressure, float *temperature, float *vapour, float *cloud,
               float *rain, float *fallen) {
  float t[LEVELS], qv[LEVELS], qc[LEVELS], qr[LEVELS], upper[LEVELS], flux[LEVELS + 1];
  unsigned width = gridDim.x * blockDim.x;
  unsigned column = (blockIdx.y * blockDim.y + threadIdx.y) * width + blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  for (unsigned i = 0; i < LEVELS; i++) {
    t[i] = temperature[i * columns + column];
    qv[i] = vapour[i * columns + column];
    qc[i] = cloud[i * columns + column];
    qr[i] = rain[i * columns + column];
  }
  for (unsigned i = 0; i < LEVELS; i++) {
    float saturated = weather_saturation(t[i], pressure[i]);
    float condensed = fmaxf((qv[i] - saturated) * 0.4f, -qc[i]); // evaporates no more than there is
    qv[i] -= condensed, qc[i] += condensed, t[i] += 2.5f * condensed;
    float grown = fminf(qc[i], dt * (1e-3f * fmaxf(qc[i] - 0.5f, 0.f) + 2.2e-3f * qc[i] * sqrtf(qr[i])));
    qc[i] -= grown, qr[i] += grown;
    float dried = fminf(qr[i], dt * 5e-4f * fmaxf(saturated - qv[i], 0.f) * sqrtf(qr[i]));
    qr[i] -= dried, qv[i] += dried, t[i] -= 2.5f * dried;
  }
  flux[LEVELS] = 0.f;
  for (unsigned i = 0; i < LEVELS; i++) flux[i] = fminf(qr[i], qr[i] * sqrtf(sqrtf(qr[i])) * dt * 0.02f / pressure[i]);
  for (unsigned i = 0; i < LEVELS; i++) qr[i] += flux[i + 1] - flux[i];
  fallen[column] += flux[0];
  weather_diffuse(t, 0.05f, upper);
  weather_diffuse(qv, 0.05f, upper);
  weather_diffuse(qc, 0.02f, upper);
  for (unsigned i = 0; i < LEVELS; i++) {
    temperature[i * columns + column] = t[i];
    vapour[i * columns + column] = qv[i];
    cloud[i * columns + column] = qc[i];
    rain[i * columns + column] = qr[i];
  }
}
