// SPDX-License-Identifier: Apache-2.0
// Levels of a graph's nodes from node 0, driven by the topology: in every round each node offers its level and one to its neighbours,
// and the rounds end when no level has become lower. bfs of LonestarGPU (Burtscher 2012), with neighbours in rows.
#include "tandem_device.h"

#if !defined(TANDEM_VERSION_BASELINE)
#error "define TANDEM_VERSION_BASELINE"
#endif
#define FAR 0x7fffffffu // not reached

extern "C" __global__ void __launch_bounds__(256)
  bfs_topology(unsigned nodes, const unsigned *first, const unsigned *target, unsigned *level, unsigned *changed) {
  unsigned node = blockIdx.x * 256 + threadIdx.x;
  if (node >= nodes) return;
  unsigned own = *(volatile unsigned *)&level[node], end = first[node + 1];
  bool lower = false;
  if (own == FAR) return;
  for (unsigned e = first[node]; e < end; e++) {
    unsigned to = target[e];
    if (*(volatile unsigned *)&level[to] > own + 1 && atomicMin(&level[to], own + 1) > own + 1) lower = true;
  }
  if (lower) *(volatile unsigned *)changed = 1;
}
