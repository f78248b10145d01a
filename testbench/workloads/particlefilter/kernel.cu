// SPDX-License-Identifier: Apache-2.0
// A frame of a particle filter that follows a disc in a noisy video, a thread a particle (particlefilter of Rodinia, Che 2009, in
// its simple form): a particle moves and is as likely as the pixels about it look like the disc; weights follow from that,
// are divided by their sum and added up, by one thread, as Rodinia has it; then a new particle takes the place of the first old
// one whose sum reaches the new one's own number. All threads read the sums from the start.
#include "ldesc.h"
#include "tandem_device.h"

#include "descriptors.h"

#define THREADS 512

#if defined(TANDEM_VERSION_LDESC)
LDESC_TABLE(PARTICLEFILTER_DESCRIPTORS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_LDESC"
#endif

// place: of the disc's pixels, from its middle; background 100, disc 228
extern "C" __global__ void __launch_bounds__(THREADS)
  particle_likelihood(unsigned particles, int side, unsigned places, float scale, const int2 *place,
                      const unsigned char *frame, const float2 *step, float2 *particle, float *likelihood) {
  unsigned i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= particles) return;
  float x = __fadd_rn(particle[i].x, step[i].x), y = __fadd_rn(particle[i].y, step[i].y);
  particle[i] = make_float2(x, y);
  int column = (int)floorf(__fadd_rn(x, 0.5f)), row = (int)floorf(__fadd_rn(y, 0.5f)), sum = 0;
  for (unsigned k = 0; k < places; k++) {
    int c = column + place[k].x, r = row + place[k].y;
    bool inside = c >= 0 && c < side && r >= 0 && r < side;
    int pixel = frame[inside ? r * side + c : 0], from_background = pixel - 100, from_disc = pixel - 228;
    sum += from_background * from_background - from_disc * from_disc;
  }
  likelihood[i] = (float)sum / scale;
}

// partial: the sum of a CTA's weights
extern "C" __global__ void __launch_bounds__(THREADS)
  particle_weights(unsigned particles, const float *likelihood, float *weight, float *partial) {
  __shared__ float sum[THREADS];
  unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
  float own = i < particles ? weight[i] * expf(likelihood[i]) : 0.f;
  if (i < particles) weight[i] = own;
  sum[t] = own;
  for (unsigned half = THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) sum[t] += sum[t + half];
  }
  if (t == 0) partial[blockIdx.x] = sum[0];
}

extern "C" __global__ void __launch_bounds__(THREADS)
  particle_normalise(unsigned particles, unsigned partials, const float *partial, float *weight) {
  unsigned i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= particles) return;
  float sum = 0.f;
  for (unsigned k = 0; k < partials; k++) sum += partial[k];
  weight[i] /= sum;
}

// One thread.
extern "C" __global__ void particle_sums(unsigned particles, const float *weight, float *cumulative) {
  float sum = 0.f;
  for (unsigned i = 0; i < particles; i++) cumulative[i] = sum = __fadd_rn(sum, weight[i]);
}

// next: the new particles; all weigh the same again
extern "C" __global__ void __launch_bounds__(THREADS)
  particle_find(unsigned particles, float even, const float *cumulative, const float *number, const float2 *particle,
                float2 *next, float *weight) {
  unsigned i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= particles) return;
  unsigned found = particles - 1;
  for (unsigned k = 0; k < particles; k++)
    if (cumulative[k] >= number[i]) {
      found = k;
      break;
    }
  next[i] = particle[found];
  weight[i] = even;
}
