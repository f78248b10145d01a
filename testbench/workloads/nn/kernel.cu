// SPDX-License-Identifier: Apache-2.0
// Distances of a target to records of latitude and longitude, in the loop of a fixed grid of threads; the host
// takes the nearest: Rodinia's nearest neighbour (Che 2009; NN of Yuan 2009, 938 CTAs of 16 threads).
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#define THREADS 16

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(NN_ATOMS)
#elif !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE or TANDEM_VERSION_XMEM"
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
  nn(unsigned records, float latitude, float longitude, const float2 *record, float *distance) {
  for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < records; i += gridDim.x * THREADS) {
    float dx = record[i].x - latitude, dy = record[i].y - longitude;
    distance[i] = sqrtf(fmaf(dx, dx, __fmul_rn(dy, dy)));
  }
}
