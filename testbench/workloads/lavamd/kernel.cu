// SPDX-License-Identifier: Apache-2.0
// Potential and force on every particle from those in its own box and the boxes beside it (lavaMD of Rodinia, Che 2009), a CTA
// a box. The particles of the own box and, one box after the other, of its neighbours are staged in shared memory; a
// thread's sums stay in global memory, where it adds to them for every pair.
#include "ldesc.h"
#include "tandem_device.h"

#include "descriptors.h"

#define THREADS 128 // also particles of a box, at most

#if defined(TANDEM_VERSION_LDESC)
LDESC_TABLE(LAVAMD_DESCRIPTORS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_LDESC"
#endif

struct lavamd_box {
  int boxes, number[27]; // itself and its neighbours
};

// particle: position x, y, z and, in w, half the square of its distance from the origin; force: also the potential, in w
extern "C" __global__ void __launch_bounds__(THREADS)
  lavamd(int particles, float sharpness, const lavamd_box *box, const float4 *particle, const float *charge,
         float4 *force) {
  __shared__ float4 other[THREADS];
  __shared__ float strength[THREADS];
  int t = (int)threadIdx.x, first = (int)blockIdx.x * particles;
  bool mine = t < particles;
  float4 own = mine ? particle[first + t] : make_float4(0, 0, 0, 0);
  const lavamd_box *around = box + blockIdx.x;
  for (int i = 0; i < around->boxes; i++) {
    int from = around->number[i] * particles;
    __syncthreads();
    if (mine) other[t] = particle[from + t], strength[t] = charge[from + t];
    __syncthreads();
    for (int k = 0; mine && k < particles; k++) {
      float4 p = other[k];
      float half_square = own.w + p.w - fmaf(own.x, p.x, fmaf(own.y, p.y, own.z * p.z));
      float potential = strength[k] * expf(-sharpness * half_square), pull = 2.f * potential;
      float4 sum = force[first + t];
      force[first + t] = make_float4(fmaf(pull, own.x - p.x, sum.x), fmaf(pull, own.y - p.y, sum.y),
                                     fmaf(pull, own.z - p.z, sum.z), sum.w + potential);
      asm volatile("" ::: "memory"); // or a compiler keeps the sums in registers
    }
  }
}
