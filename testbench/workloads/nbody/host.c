/* SPDX-License-Identifier: Apache-2.0 */
/* nbody: one time step of all pairs; velocities are compared with sums in double precision, positions with those that
 * follow from the kernel's velocities, bit for bit. */
#include <cuda.h>

#include "nbody_args.h"
#include "nbody_ptx.h"
#include "workload.h"

enum { THREADS = 128 }; /* as in kernel.cu */

struct body {
  float v[4];
};

/* Acceleration of body i, and the sum of the terms' magnitudes. */
static void accelerate(const struct body *body, unsigned n, unsigned i, double softening, double sum[3],
                       double magnitude[3]) {
  for (unsigned k = 0; k < 3; k++) sum[k] = magnitude[k] = 0;
  for (unsigned j = 0; j < n; j++) {
    double d[3], square = softening;
    for (unsigned k = 0; k < 3; k++) {
      d[k] = (double)body[j].v[k] - body[i].v[k];
      square += d[k] * d[k];
    }
    double pull = body[j].v[3] / (square * sqrt(square));
    for (unsigned k = 0; k < 3; k++) sum[k] += pull * d[k], magnitude[k] += fabs(pull * d[k]);
  }
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("nbody", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t bytes = n * sizeof(struct body);
  struct body *body = workload_alloc(&w, bytes), *velocity = workload_alloc(&w, bytes);
  struct body *moved = workload_alloc(&w, bytes), *faster = workload_alloc(&w, bytes);
  float softening = 0.01f, dt = 0.015625f;
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < 4; k++) {
      body[i].v[k] = k < 3 ? workload_input(seed, k, i) : fabsf(workload_input(seed, 3, i)) / (float)n;
      velocity[i].v[k] = k < 3 ? workload_input(seed, 4 + k, i) : 0.f;
    }

  CUfunction kernel = workload_open(&w, "nbody");
  CUdeviceptr device_body = workload_upload(&w, body, bytes), device_moved = workload_upload(&w, NULL, bytes);
  CUdeviceptr device_velocity = workload_upload(&w, velocity, bytes);
  workload_launch(&w, kernel, (n - 1) / THREADS + 1, THREADS,
                  (void *[]){&n, &softening, &dt, &device_body, &device_moved, &device_velocity});
  workload_download(&w, moved, device_moved, bytes);
  workload_download(&w, faster, device_velocity, bytes);

  /* a term's error: thrice that of rsqrtf (2 ulp and half its argument's 3) and the differences'; each addition rounds */
  struct workload_comparison comparison = {0};
  for (unsigned i = 0; i < n; i++) {
    double sum[3], magnitude[3];
    accelerate(body, n, i, (double)softening, sum, magnitude);
    for (unsigned k = 0; k < 3; k++) {
      double want = velocity[i].v[k] + dt * sum[k], error = dt * magnitude[k] * (20 + n) * 0x1p-24;
      workload_compare(&comparison, 3 * (size_t)i + k, faster[i].v[k], (float)want, error + 0x1p-23);
      workload_compare(&comparison, 3 * (size_t)i + k, moved[i].v[k], fmaf(faster[i].v[k], dt, body[i].v[k]), 0);
    }
  }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u", n);
  workload_close(&w);
  free(body), free(velocity), free(moved), free(faster);
  return workload_verdict(&w, sizes, &comparison);
}
