// SPDX-License-Identifier: Apache-2.0
// One kernel for each kind of locality that a descriptor names (Vijaykumar 2019, chapter 3). All of them compute whole numbers
// modulo 2^32, in an order that depends on the thread.
#include "ldesc.h"
#include "tandem_device.h"

#include "descriptors.h"

#define THREADS 128
#define WIDTH 32
#define HEIGHT 4
#define WORDS_MAX 128

#if defined(TANDEM_VERSION_LDESC)
LDESC_TABLE(LOCALITY_DESCRIPTORS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_LDESC"
#endif

// CTAs with the same x read the same columns, as in histo: out[y][x] is a sum over the column of x.
extern "C" __global__ void __launch_bounds__(THREADS) columns(const unsigned *in, unsigned *out, unsigned rows) {
  unsigned x = blockIdx.x * THREADS + threadIdx.x, width = gridDim.x * THREADS, sum = 0;
  for (unsigned r = 0; r < rows; r++) sum = sum * (2 * blockIdx.y + 3) + in[r * width + x];
  out[blockIdx.y * width + x] = sum;
}

// `share` CTAs in a row read random words of one tile.
extern "C" __global__ void __launch_bounds__(THREADS)
  table(const unsigned *in, unsigned *out, unsigned share, unsigned words, unsigned rounds) {
  unsigned i = blockIdx.x * THREADS + threadIdx.x, random = i * 2654435761u + 1, sum = 0;
  const unsigned *tile = in + blockIdx.x / share * words;
  for (unsigned r = 0; r < rounds; r++) {
    random = random * 1664525u + 1013904223u;
    sum = sum * 3 + tile[(random >> 8) % words];
  }
  out[i] = sum;
}

// Five points; 0 beyond the borders.
extern "C" __global__ void __launch_bounds__(THREADS) points(const unsigned *in, unsigned *out) {
  unsigned x = blockIdx.x * WIDTH + threadIdx.x, y = blockIdx.y * HEIGHT + threadIdx.y;
  unsigned width = gridDim.x * WIDTH, height = gridDim.y * HEIGHT, at = y * width + x;
  unsigned sum = 4 * in[at];
  if (x > 0) sum += in[at - 1];
  if (x + 1 < width) sum += 3 * in[at + 1];
  if (y > 0) sum += 5 * in[at - width];
  if (y + 1 < height) sum += 7 * in[at + width];
  out[at] = sum;
}

// Each thread walks an array of its own again and again.
extern "C" __global__ void __launch_bounds__(THREADS)
  own(const unsigned *in, unsigned *out, unsigned words, unsigned rounds) {
  unsigned i = blockIdx.x * THREADS + threadIdx.x, sum = 0;
  const unsigned *mine = in + i * words;
  for (unsigned r = 0; r < rounds; r++)
    for (unsigned k = 0; k < words; k++) sum = sum * 3 + mine[k] + r;
  out[i] = sum;
}

// The same with the array in local memory.
extern "C" __global__ void __launch_bounds__(THREADS)
  own_local(const unsigned *in, unsigned *out, unsigned words, unsigned rounds) {
  unsigned i = blockIdx.x * THREADS + threadIdx.x, sum = 0;
  unsigned mine[WORDS_MAX];
  for (unsigned k = 0; k < words; k++) mine[k] = in[i * words + k];
  for (unsigned r = 0; r < rounds; r++)
    for (unsigned k = 0; k < words; k++) sum = sum * 3 + mine[k] + r;
  out[i] = sum;
}

// Nothing is read twice.
extern "C" __global__ void __launch_bounds__(THREADS) passing(const unsigned *in, unsigned *out) {
  unsigned i = blockIdx.x * THREADS + threadIdx.x;
  out[i] = in[i] * 3 + 1;
}

// `share` CTAs in a row read all of a tile of a and all of a tile of b, as in figure 19.
extern "C" __global__ void __launch_bounds__(THREADS)
  pair(const unsigned *a, const unsigned *b, unsigned *out, unsigned share, unsigned words_a, unsigned words_b) {
  unsigned i = blockIdx.x * THREADS + threadIdx.x, group = blockIdx.x / share, sum = 0;
  for (unsigned k = threadIdx.x; k < words_a; k += THREADS) sum = sum * 3 + a[group * words_a + k];
  for (unsigned k = threadIdx.x; k < words_b; k += THREADS) sum = sum * 3 + b[group * words_b + k];
  out[i] = sum;
}
