// SPDX-License-Identifier: Apache-2.0
// Shortest paths from one node by a worklist (Bellman 1958 and Moore 1959, label correcting; the worklist of nodes is that of sssp in
// LonestarGPU, Burtscher 2012): a thread takes a node of the list and lowers the distances of its neighbours; those that became lower
// are the next list. A CTA collects its part of that list in shared memory, up to `slots` of it, and appends it at once.
#include "tandem_device.h"

#if !defined(TANDEM_VERSION_SIZED)
#error "define TANDEM_VERSION_SIZED"
#endif

// queued: nodes that are in a list and not yet taken from it. Who lowers a distance looks at `queued` after that, and who takes a node
// from the list clears it before the distance is read: one of both sees the other. Shared memory: 4 * (slots + 2) bytes.
extern "C" __global__ void sssp_relax(unsigned items, unsigned slots, const unsigned *list, const unsigned *first,
                                      const unsigned *target, const unsigned *weight, unsigned *distance,
                                      unsigned *queued, unsigned *next, unsigned *next_items) {
  extern __shared__ unsigned kept[];
  unsigned *count = kept + slots, *base = kept + slots + 1;
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t == 0) *count = 0;
  __syncthreads();
  if (i < items) {
    unsigned node = list[i];
    atomicExch((int *)&queued[node], 0);
    __threadfence();
    unsigned own = *(volatile unsigned *)&distance[node], end = first[node + 1];
    for (unsigned e = first[node]; e < end; e++) {
      unsigned to = target[e], length = own + weight[e];
      if (*(volatile unsigned *)&distance[to] <= length || atomicMin(&distance[to], length) <= length) continue;
      __threadfence();
      if (atomicExch((int *)&queued[to], 1)) continue;
      unsigned slot = atomicAdd(count, 1u);
      if (slot < slots) kept[slot] = to;
      else next[atomicAdd(next_items, 1u)] = to;
    }
  }
  __syncthreads();
  unsigned size = *count < slots ? *count : slots;
  if (t == 0 && size) *base = atomicAdd(next_items, size);
  __syncthreads();
  for (unsigned k = t; k < size; k += blockDim.x) next[*base + k] = kept[k];
}
