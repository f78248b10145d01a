// SPDX-License-Identifier: Apache-2.0
// Breadth-first search, level by level, a thread a node (Harish, Narayanan, HiPC 2007; in the set of Bakhoda
// 2009 and, in these two kernels, in Rodinia, Che 2009). `expand` gives the neighbours of the frontier
// their distance, `advance` makes them the next frontier, so that no thread sees a level half done.
// Version listing2 is one kernel that does both, as Lashgar 2018 prints it (listing 2), and races: in a launch
// threads read what others write, and may run ahead by several levels. The host programs of two versions say what a
// CTA reads: teleport for the two kernels, listing3 for the single one, with the arrays of the paper's listing 3.
#include "tandem_device.h"
#include "xmem.h"

#include "atoms.h"

#define THREADS 512

#if defined(TANDEM_VERSION_XMEM)
XMEM_ATOM_TABLE(BFS_ATOMS)
#elif !defined(TANDEM_VERSION_BASELINE) && !defined(TANDEM_VERSION_LISTING2) && !defined(TANDEM_VERSION_LISTING3) && \
  !defined(TANDEM_VERSION_TELEPORT)
#error "define TANDEM_VERSION_BASELINE, _LISTING2, _LISTING3, _TELEPORT or _XMEM"
#endif

#if defined(TANDEM_VERSION_LISTING2) || defined(TANDEM_VERSION_LISTING3)

struct bfs_node {
  int first, degree; // edges first .. first + degree - 1
};

extern "C" __global__ void __launch_bounds__(THREADS)
  bfs(const bfs_node *node, const int *edge, bool *mask, bool *visited, int *cost, bool *over, int nodes) {
  int own = blockIdx.x * blockDim.x + threadIdx.x;
  if (own < nodes && mask[own]) {
    mask[own] = false;
    visited[own] = true;
    for (int i = node[own].first; i < node[own].degree + node[own].first; i++) {
      int neighbour = edge[i];
      if (!visited[neighbour]) {
        cost[neighbour] = cost[own] + 1;
        mask[neighbour] = true;
        *over = true;
      }
    }
  }
}

#else

// Node i has the edges first[i] .. first[i + 1] - 1.
extern "C" __global__ void __launch_bounds__(THREADS)
  bfs_expand(unsigned nodes, const unsigned *first, const unsigned *edge, unsigned char *frontier,
             unsigned char *reached, const unsigned char *visited, int *distance) {
  unsigned node = blockIdx.x * THREADS + threadIdx.x;
  if (node >= nodes || !frontier[node]) return;
  frontier[node] = 0;
  int next = distance[node] + 1;
  unsigned end = first[node + 1];
  for (unsigned i = first[node]; i < end; i++) {
    unsigned neighbour = edge[i];
    if (visited[neighbour]) continue;
    distance[neighbour] = next; // the same from every predecessor of the frontier
    reached[neighbour] = 1;
  }
}

extern "C" __global__ void __launch_bounds__(THREADS)
  bfs_advance(unsigned nodes, unsigned char *frontier, unsigned char *reached, unsigned char *visited, int *more) {
  unsigned node = blockIdx.x * THREADS + threadIdx.x;
  if (node >= nodes || !reached[node]) return;
  reached[node] = 0;
  frontier[node] = 1;
  visited[node] = 1;
  *more = 1;
}

#endif
