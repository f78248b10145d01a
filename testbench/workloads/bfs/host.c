/* SPDX-License-Identifier: Apache-2.0 */
/* bfs: distances from node 0 in a random graph, compared with a search by a queue on the host. Every node has `degree`
 * edges to random nodes; those that cannot be reached have distance -1. Versions listing2 and listing3 race, and set a
 * distance for good when a node is first expanded. They are right where all paths to a node are equally long; so they
 * search the same graph without the edges that lie on no shortest path, which changes no distance. */
#include <cuda.h>
#include <teleport.h>

#include "atoms.h"
#include "bfs_args.h"
#include "bfs_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(BFS_ATOMS);

enum { THREADS = 512 }; /* as in kernel.cu */

static void search(unsigned nodes, const unsigned *first, const unsigned *edge, int *distance, unsigned *queue) {
  unsigned head = 0, tail = 0;
  for (unsigned i = 0; i < nodes; i++) distance[i] = -1;
  distance[0] = 0;
  queue[tail++] = 0;
  while (head < tail) {
    unsigned node = queue[head++];
    for (unsigned i = first[node]; i < first[node + 1]; i++) {
      if (distance[edge[i]] >= 0) continue;
      distance[edge[i]] = distance[node] + 1;
      queue[tail++] = edge[i];
    }
  }
}

/* Removes the edges that lie on no shortest path from node 0; `distance` comes from search(). */
static void keep_shortest(unsigned nodes, unsigned *first, unsigned *edge, const int *distance) {
  unsigned kept = 0;
  for (unsigned node = 0, i = 0; node < nodes; node++) {
    unsigned end = first[node + 1];
    first[node] = kept;
    for (; i < end; i++)
      if (distance[node] >= 0 && distance[edge[i]] == distance[node] + 1) edge[kept++] = edge[i];
  }
  first[nodes] = kept;
}

/* Version teleport: what a CTA of a kernel reads, of arrays with an element a thread. `more`: it reads those of more threads, too. */
static void track(const struct teleport *t, CUdeviceptr array, size_t element, int more) {
  teleportSetCTATracker(t, array, element, THREADS, 0, 0, 0, THREADS, 0, 0, THREADS + more);
}

/* The two kernels, level by level. `distance` holds the start; returns with the result. */
static void run_levels(struct workload *w, unsigned nodes, const unsigned *first, const unsigned *edge, size_t edges,
                       int *distance) {
  unsigned char *frontier = workload_alloc(w, nodes);
  size_t bytes = nodes * sizeof(int);
  int more = 1;
  CUfunction expand = workload_open(w, "bfs_expand"), advance = workload_kernel(w, "bfs_advance");
  struct xmem atoms = workload_atoms(w);
  CUdeviceptr device_first = workload_upload_atom(w, &atoms, BFS_FIRST, first, (nodes + 1) * sizeof *first);
  CUdeviceptr device_edge = workload_upload_atom(w, &atoms, BFS_EDGE, edge, edges * sizeof *edge);
  CUdeviceptr device_distance = workload_upload_atom(w, &atoms, BFS_DISTANCE, distance, bytes);
  CUdeviceptr reached = workload_upload_atom(w, &atoms, BFS_REACHED, frontier, nodes);
  frontier[0] = 1;
  CUdeviceptr device_frontier = workload_upload_atom(w, &atoms, BFS_FRONTIER, frontier, nodes);
  CUdeviceptr visited = workload_upload_atom(w, &atoms, BFS_VISITED, frontier, nodes);
  CUdeviceptr device_more = workload_upload(w, &more, sizeof more);
  unsigned ctas = (nodes - 1) / THREADS + 1;
  struct teleport t = {0}; /* its calls do nothing unless it is opened */
  if (!strcmp(w->version, "teleport")) teleportOpen(&t);
  while (more) {
    more = 0;
    WORKLOAD_RUN(w, cuMemcpyHtoD(device_more, &more, sizeof more));
    teleportFlushCTATracker(&t);
    track(&t, device_first, sizeof *first, 1);
    track(&t, device_frontier, 1, 0);
    track(&t, device_distance, sizeof *distance, 0);
    workload_launch(
      w, expand, ctas, THREADS,
      (void *[]){&nodes, &device_first, &device_edge, &device_frontier, &reached, &visited, &device_distance});
    teleportFlushCTATracker(&t);
    track(&t, reached, 1, 0);
    workload_launch(w, advance, ctas, THREADS, (void *[]){&nodes, &device_frontier, &reached, &visited, &device_more});
    workload_download(w, &more, device_more, sizeof more);
  }
  workload_download(w, distance, device_distance, bytes);
  free(frontier);
}

struct node { /* struct bfs_node of kernel.cu */
  int first, degree;
};

/* The single kernel of listing 2, again until no thread says that there is more; a flag is a byte. The calls of version
 * listing3 are the paper's: they have `visited`, which a CTA writes at its own places, and not `cost`, which it reads. */
static void run_single(struct workload *w, unsigned nodes, const unsigned *first, const unsigned *edge, size_t edges,
                       int *distance) {
  struct node *node = workload_alloc(w, nodes * sizeof *node);
  unsigned char *flag = workload_alloc(w, nodes), over = 1;
  for (unsigned i = 0; i < nodes; i++) node[i] = (struct node){(int)first[i], (int)(first[i + 1] - first[i])};
  CUfunction kernel = workload_open(w, "bfs");
  struct teleport t = {0}; /* as above */
  if (!strcmp(w->version, "listing3")) teleportOpen(&t);
  CUdeviceptr device_node = workload_upload(w, node, nodes * sizeof *node);
  CUdeviceptr device_edge = workload_upload(w, edge, edges * sizeof *edge);
  CUdeviceptr visited = workload_upload(w, flag, nodes);
  flag[0] = 1;
  CUdeviceptr mask = workload_upload(w, flag, nodes);
  CUdeviceptr cost = workload_upload(w, distance, nodes * sizeof *distance);
  CUdeviceptr device_over = workload_upload(w, &over, sizeof over);
  while (over) {
    over = 0;
    WORKLOAD_RUN(w, cuMemcpyHtoD(device_over, &over, sizeof over));
    teleportFlushCTATracker(&t);
    track(&t, mask, sizeof *flag, 0);
    track(&t, visited, sizeof *flag, 0);
    track(&t, device_node, sizeof *node, 0);
    workload_launch(w, kernel, (nodes - 1) / THREADS + 1, THREADS,
                    (void *[]){&device_node, &device_edge, &mask, &visited, &cost, &device_over, &nodes});
    workload_download(w, &over, device_over, sizeof over);
  }
  workload_download(w, distance, cost, nodes * sizeof *distance);
  free(node), free(flag);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("bfs", argc, argv);
  unsigned nodes = (unsigned)workload_value(&w, "nodes"), degree = (unsigned)workload_value(&w, "degree");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t edges = (size_t)nodes * degree, bytes = nodes * sizeof(int);
  unsigned *first = workload_alloc(&w, (nodes + 1) * sizeof *first), *edge = workload_alloc(&w, edges * sizeof *edge);
  unsigned *queue = workload_alloc(&w, nodes * sizeof *queue);
  int *distance = workload_alloc(&w, bytes), *want = workload_alloc(&w, bytes);
  for (unsigned i = 0; i <= nodes; i++) first[i] = i * degree;
  for (size_t i = 0; i < edges; i++) edge[i] = (unsigned)(workload_bits(seed, 1, i) % nodes);
  for (unsigned i = 1; i < nodes; i++) distance[i] = -1;
  search(nodes, first, edge, want, queue);
  int single = !strcmp(w.version, "listing2") || !strcmp(w.version, "listing3");
  if (single || workload_value(&w, "shortest")) keep_shortest(nodes, first, edge, want);

  (single ? run_single : run_levels)(&w, nodes, first, edge, edges, distance);

  struct workload_comparison comparison = {0};
  for (unsigned i = 0; i < nodes; i++) workload_compare_whole(&comparison, i, distance[i], want[i]);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "nodes=%u degree=%u", nodes, degree);
  workload_close(&w);
  free(first), free(edge), free(queue), free(distance), free(want);
  return workload_verdict(&w, sizes, &comparison);
}
