// SPDX-License-Identifier: Apache-2.0
// Minimum spanning forest by the rounds of Boruvka (1926), as GPUs do them (Vineet 2009; mst of LonestarGPU, Burtscher 2012):
// each component finds its lightest edge, components are joined along these edges, and every node gets the name of its new
// component. Keys of edges, weight << 24 | number, differ from each other, so no cycle of more than two components arises.
// A CTA stages the edges of its nodes in shared memory, `chunk` at a time: they lie one after the other, whatever the degrees.
#include "tandem_device.h"

#if !defined(TANDEM_VERSION_SIZED)
#error "define TANDEM_VERSION_SIZED"
#endif
#define NONE 0xffffffffu

static __device__ __forceinline__ unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

extern __shared__ unsigned words[];

// Shared memory: 8 * chunk bytes.
extern "C" __global__ void mst_lightest(unsigned nodes, unsigned chunk, const unsigned *first, const unsigned *target,
                                        const unsigned *key, const unsigned *component, unsigned *lightest) {
  unsigned *other = words, *keys = words + chunk;
  unsigned t = threadIdx.x, start = blockIdx.x * blockDim.x, node = start + t;
  unsigned end = first[least(start + blockDim.x, nodes)], own = 0, begin = end, behind = end, best = NONE;
  if (node < nodes) own = component[node], begin = first[node], behind = first[node + 1];
  for (unsigned at = first[start]; at < end; at += chunk) {
    unsigned size = least(chunk, end - at), stop = least(behind, at + size);
    for (unsigned i = t; i < size; i += blockDim.x) {
      other[i] = component[target[at + i]];
      keys[i] = key[at + i];
    }
    __syncthreads();
    for (unsigned i = begin > at ? begin : at; i < stop; i++)
      if (other[i - at] != own) best = least(best, keys[i - at]);
    __syncthreads();
  }
  if (best != NONE) atomicMin(&lightest[own], best);
}

// A component that is named like its first node joins the one at the other end of its lightest edge; of two that chose the same
// edge, the one with the higher name. `joined` counts them. Shared memory: 4 bytes a thread.
extern "C" __global__ void mst_join(unsigned nodes, const unsigned *end_a, const unsigned *end_b,
                                    const unsigned *component, const unsigned *lightest, unsigned *parent,
                                    unsigned *chosen, unsigned *joined) {
  unsigned t = threadIdx.x, node = blockIdx.x * blockDim.x + t, key = node < nodes ? lightest[node] : NONE;
  words[t] = 0;
  if (key != NONE) {
    unsigned edge = key & 0xffffff, a = component[end_a[edge]], other = a == node ? component[end_b[edge]] : a;
    if (lightest[other] != key || node > other) {
      parent[node] = other;
      chosen[edge] = 1;
      words[t] = 1;
    }
  }
  for (unsigned left = blockDim.x; left > 1;) {
    unsigned half = (left + 1) / 2;
    __syncthreads();
    if (t < left - half) words[t] += words[t + half];
    left = half;
  }
  if (t == 0 && words[0]) atomicAdd(joined, words[0]);
}

extern "C" __global__ void mst_rename(unsigned nodes, const unsigned *parent, unsigned *component, unsigned *lightest) {
  unsigned node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  unsigned name = component[node];
  while (parent[name] != name) name = parent[name];
  component[node] = name;
  lightest[node] = NONE;
}
