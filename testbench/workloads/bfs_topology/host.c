/* SPDX-License-Identifier: Apache-2.0 */
/* bfs_topology: levels from node 0, compared with those of a queue on the host. How many rounds there are depends on time, since a
 * round may hand on levels that it has made itself; the levels do not. Graphs are those of mst and sssp; no weight is read. */
#include <cuda.h>

#include "bfs_topology_args.h"
#include "bfs_topology_ptx.h"
#include "workload.h"

#include "mst/graph.h"

enum { FAR = 0x7fffffff, THREADS = 256 };

/* Returns the nodes that are reached. */
static unsigned search(const struct workload *w, const struct graph *g, unsigned *level) {
  unsigned *queue = workload_alloc(w, g->nodes * sizeof *queue), begin = 0, end = 1;
  for (unsigned i = 1; i < g->nodes; i++) level[i] = FAR;
  while (begin < end) {
    unsigned node = queue[begin++];
    for (unsigned e = g->first[node]; e < g->first[node + 1]; e++) {
      if (level[g->target[e]] != FAR) continue;
      level[g->target[e]] = level[node] + 1;
      queue[end++] = g->target[e];
    }
  }
  free(queue);
  return end;
}

/* Returns the rounds. */
static unsigned run(struct workload *w, const struct graph *g, unsigned *level) {
  unsigned nodes = g->nodes, changed = 1, rounds = 0;
  size_t of_nodes = nodes * sizeof(unsigned);
  for (unsigned i = 1; i < nodes; i++) level[i] = FAR;
  CUfunction kernel = workload_open(w, "bfs_topology");
  CUdeviceptr first = workload_upload(w, g->first, of_nodes + sizeof(unsigned));
  CUdeviceptr target = workload_upload(w, g->target, ((size_t)g->entries + 1) * sizeof(unsigned));
  CUdeviceptr d_level = workload_upload(w, level, of_nodes), d_changed = workload_upload(w, NULL, sizeof changed);
  for (; changed; rounds++) {
    changed = 0;
    WORKLOAD_RUN(w, cuMemcpyHtoD(d_changed, &changed, sizeof changed));
    workload_launch(w, kernel, (nodes - 1) / THREADS + 1, THREADS,
                    (void *[]){&nodes, &first, &target, &d_level, &d_changed});
    workload_download(w, &changed, d_changed, sizeof changed);
  }
  workload_download(w, level, d_level, of_nodes);
  return rounds;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("bfs_topology", argc, argv);
  struct graph g;
  unsigned nodes = (unsigned)workload_value(&w, "nodes"), degree = (unsigned)workload_value(&w, "degree");
  graph_draw(&w, &g, nodes, degree, (unsigned)workload_value(&w, "span"));
  graph_rows(&w, &g, 0);
  unsigned *level = workload_alloc(&w, nodes * sizeof *level), *want = workload_alloc(&w, nodes * sizeof *want);
  unsigned rounds = run(&w, &g, level);

  struct workload_comparison comparison = {0};
  unsigned reached = search(&w, &g, want);
  for (unsigned i = 0; i < nodes; i++) workload_compare_whole(&comparison, i, level[i], want[i]);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "nodes=%u edges=%u reached=%u rounds=%u", nodes, g.edges, reached, rounds);
  workload_close(&w);
  graph_free(&g), free(level), free(want);
  return workload_verdict(&w, sizes, &comparison);
}
