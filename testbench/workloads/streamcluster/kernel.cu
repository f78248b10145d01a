// SPDX-License-Identifier: Apache-2.0
// What opening a centre at point `candidate` would change (streamcluster of Rodinia, Che 2009; PARSEC, Bienia 2008), a thread a
// point: its distance to the candidate, times its weight, against its cost so far. A point that would come over says so
// and adds what it saves to the last of its own counters; any other says, in the counter of its centre, what it would lose
// if that centre were closed for the candidate. Coordinates lie dimension by dimension.
#include "ldesc.h"
#include "tandem_device.h"

#include "descriptors.h"

#define THREADS 512
#define DIMENSIONS 1024 // at most

#if defined(TANDEM_VERSION_LDESC)
LDESC_TABLE(STREAMCLUSTER_DESCRIPTORS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_LDESC"
#endif

// 32 bytes, as in Rodinia: a warp's points take eight lines, which each field reads again
struct streamcluster_point {
  float weight;
  unsigned long long coordinates; // of the host
  long long assign;               // its centre, as the number of a point
  float cost;                     // its distance to that, times its weight
};

// table: of a point that is a centre, the number of the centre; lower: centres + 1 counters a point, and `switches`, cleared
extern "C" __global__ void __launch_bounds__(THREADS)
  streamcluster(unsigned points, unsigned dimensions, unsigned candidate, unsigned centres,
                const streamcluster_point *point, const float *coordinate, const int *table, float *lower,
                unsigned char *switches) {
  __shared__ float centre[DIMENSIONS];
  for (unsigned i = threadIdx.x; i < dimensions; i += THREADS) centre[i] = coordinate[(size_t)i * points + candidate];
  __syncthreads();
  unsigned own = blockIdx.x * THREADS + threadIdx.x;
  if (own >= points) return;
  float square = 0.f;
#pragma unroll 1 // or 512 threads take more registers than a GT200 has
  for (unsigned i = 0; i < dimensions; i++) {
    float d = coordinate[(size_t)i * points + own] - centre[i];
    square = fmaf(d, d, square);
  }
  float cost = square * point[own].weight, saved = point[own].cost - cost;
  float *counter = lower + (size_t)own * (centres + 1);
  if (saved > 0.f) {
    switches[own] = 1;
    counter[centres] -= saved;
  } else {
    counter[table[point[own].assign]] += saved;
  }
}
