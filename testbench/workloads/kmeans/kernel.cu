// SPDX-License-Identifier: Apache-2.0
// The assignment step of k-means: every point goes to the nearest centre, centres in constant memory, features one
// plane after the other (Rodinia's kmeans, Che 2009). The host moves the centres.
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#define THREADS 256
#define CENTRES 4096 // clusters times features, at most

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(KMEANS_ATOMS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

extern "C" {
__constant__ float kmeans_centre[CENTRES]; // by cluster
}

extern "C" __global__ void __launch_bounds__(THREADS)
  kmeans(unsigned points, unsigned features, unsigned clusters, const float *feature, int *member) {
  unsigned i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= points) return;
  float best = 3.4e38f;
  int nearest = 0;
  for (unsigned c = 0; c < clusters; c++) {
    float distance = 0.f;
    for (unsigned f = 0; f < features; f++) {
      float d = feature[(size_t)f * points + i] - kmeans_centre[c * features + f];
      distance = fmaf(d, d, distance);
    }
    if (distance < best) best = distance, nearest = (int)c;
  }
  member[i] = nearest;
}
