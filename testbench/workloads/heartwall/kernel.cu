// SPDX-License-Identifier: Apache-2.0
// Tracking of points of a heart's wall from frame to frame (heartwall of Rodinia, Che 2009, Szafaryn 2009): a CTA a point. It stages the
// point's template and a window of the frame in shared memory, correlates the template with every place of the window and takes
// the best one, by a tree. Sums are whole numbers; a score is made of them by three operations in single precision.
#include "tandem_device.h"

#if !defined(TANDEM_VERSION_SIZED)
#error "define TANDEM_VERSION_SIZED"
#endif

// A pixel and the template's are 0..255. The window has `side` + 2 * search pixels a line, around the point's last place.
// Shared memory: 8 bytes a thread, and the pixels of window and template.
extern "C" __global__ void heartwall_track(int size, int side, int search, const unsigned char *frame,
                                           const unsigned char *templates, int *x, int *y, float *score) {
  extern __shared__ float scores[];
  unsigned *places = (unsigned *)(scores + blockDim.x), t = threadIdx.x, point = blockIdx.x;
  unsigned char *window = (unsigned char *)(places + blockDim.x);
  unsigned wide = (unsigned)(side + 2 * search), pixels = (unsigned)(side * side), steps = 2 * (unsigned)search + 1;
  unsigned char *own = window + wide * wide;
  int left = x[point] - side / 2 - search, top = y[point] - side / 2 - search;
  for (unsigned i = t; i < wide * wide; i += blockDim.x) {
    int column = left + (int)(i % wide), row = top + (int)(i / wide);
    column = column < 0 ? 0 : column < size ? column : size - 1;
    row = row < 0 ? 0 : row < size ? row : size - 1;
    window[i] = frame[row * size + column];
  }
  for (unsigned i = t; i < pixels; i += blockDim.x) own[i] = templates[point * pixels + i];
  __syncthreads();
  float best = -1.f;
  unsigned at = 0;
  for (unsigned place = t; place < steps * steps; place += blockDim.x) {
    const unsigned char *from = window + place / steps * wide + place % steps;
    unsigned sum = 0, squares = 0, product = 0, of_own = 0;
    for (unsigned i = 0, line = 0; line < (unsigned)side; line++)
      for (unsigned column = 0; column < (unsigned)side; column++, i++) {
        unsigned p = from[line * wide + column], q = own[i];
        sum += p, squares += p * p, product += p * q, of_own += q;
      }
    long long cross = (long long)product * pixels - (long long)sum * of_own;
    long long spread = (long long)squares * pixels - (long long)sum * sum;
    float like = cross > 0 && spread ? (float)cross * (float)cross / (float)spread : 0.f;
    if (like > best) best = like, at = place;
  }
  scores[t] = best;
  places[t] = at;
  for (unsigned rest = blockDim.x; rest > 1;) {
    unsigned half = (rest + 1) / 2;
    __syncthreads();
    if (t < rest - half) {
      float other = scores[t + half];
      if (other > scores[t] || (other == scores[t] && places[t + half] < places[t]))
        scores[t] = other, places[t] = places[t + half];
    }
    rest = half;
  }
  if (t) return;
  x[point] += (int)(places[0] % steps) - search;
  y[point] += (int)(places[0] / steps) - search;
  score[point] = scores[0];
}
