// SPDX-License-Identifier: Apache-2.0
// Gravitation among n bodies, all pairs, one time step: tiles of 128 bodies pass through shared memory
// (Nyland, Harris, Prins, GPU Gems 3, 31; the NVIDIA SDK's nbody).
#include "tandem_device.h"

#define THREADS 128

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif

static __device__ __forceinline__ float4 nbody_load(unsigned n, unsigned i, const float4 *body) {
  float4 b = {0.f, 0.f, 0.f, 0.f};
  if (i < n) b = body[i];
  return b;
}

// body, moved: position and mass; bodies beyond n count with mass 0
extern "C" __global__ void __launch_bounds__(THREADS)
  nbody(unsigned n, float softening, float dt, const float4 *body, float4 *moved, float4 *velocity) {
  __shared__ float4 tile[THREADS];
  unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
  float4 own = nbody_load(n, i, body);
  float ax = 0.f, ay = 0.f, az = 0.f;
  for (unsigned base = 0; base < n; base += THREADS) {
    __syncthreads();
    tile[t] = nbody_load(n, base + t, body);
    __syncthreads();
#pragma unroll 8
    for (unsigned j = 0; j < THREADS; j++) {
      float4 other = tile[j];
      float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      float inverse = rsqrtf(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, softening))));
      float pull = other.w * (inverse * inverse * inverse);
      ax = fmaf(dx, pull, ax), ay = fmaf(dy, pull, ay), az = fmaf(dz, pull, az);
    }
  }
  if (i >= n) return;
  float4 v = velocity[i];
  v.x = fmaf(ax, dt, v.x), v.y = fmaf(ay, dt, v.y), v.z = fmaf(az, dt, v.z);
  velocity[i] = v;
  own.x = fmaf(v.x, dt, own.x), own.y = fmaf(v.y, dt, own.y), own.z = fmaf(v.z, dt, own.z);
  moved[i] = own;
}
