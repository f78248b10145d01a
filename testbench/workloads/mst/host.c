/* SPDX-License-Identifier: Apache-2.0 */
/* mst: the edges of the minimum spanning forest, compared with those that Kruskal's algorithm takes. Keys of edges differ from each
 * other, so there is one such forest. */
#include <cuda.h>

#include "mst_args.h"
#include "mst_ptx.h"
#include "workload.h"

#include "mst/graph.h"

static unsigned key_of(const struct graph *g, unsigned edge) { return g->weight[edge] << 24 | edge; }

/* ---- Kruskal 1956 ---- */

static int by_key(const void *a, const void *b) {
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return x < y ? -1 : x > y;
}

static unsigned set_of(unsigned *set, unsigned node) {
  while (set[node] != node) node = set[node] = set[set[node]];
  return node;
}

static void forest(const struct workload *w, const struct graph *g, unsigned *chosen) {
  unsigned *key = workload_alloc(w, ((size_t)g->edges + 1) * sizeof *key);
  unsigned *set = workload_alloc(w, g->nodes * sizeof *set);
  for (unsigned i = 0; i < g->nodes; i++) set[i] = i;
  for (unsigned e = 0; e < g->edges; e++) key[e] = key_of(g, e);
  qsort(key, g->edges, sizeof *key, by_key);
  for (unsigned i = 0; i < g->edges; i++) {
    unsigned e = key[i] & 0xffffff, a = set_of(set, g->end[0][e]), b = set_of(set, g->end[1][e]);
    if (a == b) continue;
    set[a] = b;
    chosen[e] = 1;
  }
  free(key), free(set);
}

/* ---- the device ---- */

/* Returns the rounds. */
static unsigned run(struct workload *w, const struct graph *g, unsigned *chosen) {
  unsigned nodes = g->nodes, threads = workload_count(w, "threads"), chunk = (unsigned)workload_value(w, "chunk");
  size_t of_nodes = nodes * sizeof(unsigned), of_edges = ((size_t)g->edges + 1) * sizeof(unsigned);
  size_t of_entries = ((size_t)g->entries + 1) * sizeof(unsigned);
  unsigned *number = workload_alloc(w, of_nodes), *none = workload_alloc(w, of_nodes), joined = 1, rounds = 0;
  unsigned *key = workload_alloc(w, of_entries);
  for (unsigned i = 0; i < nodes; i++) number[i] = i, none[i] = UINT32_MAX;
  for (unsigned i = 0; i < g->entries; i++) key[i] = key_of(g, g->edge[i]);
  workload_sized(w, "threads");
  CUfunction find = workload_open(w, "mst_lightest"), join = workload_kernel(w, "mst_join"),
             rename = workload_kernel(w, "mst_rename");
  CUdeviceptr first = workload_upload(w, g->first, of_nodes + sizeof(unsigned));
  CUdeviceptr target = workload_upload(w, g->target, of_entries), d_key = workload_upload(w, key, of_entries);
  CUdeviceptr end_a = workload_upload(w, g->end[0], of_edges), end_b = workload_upload(w, g->end[1], of_edges);
  CUdeviceptr component = workload_upload(w, number, of_nodes), parent = workload_upload(w, number, of_nodes);
  CUdeviceptr lightest = workload_upload(w, none, of_nodes), d_chosen = workload_upload(w, chosen, of_edges);
  CUdeviceptr d_joined = workload_upload(w, NULL, sizeof joined);
  for (unsigned ctas = (nodes - 1) / threads + 1; joined; rounds++) {
    joined = 0;
    WORKLOAD_RUN(w, cuMemcpyHtoD(d_joined, &joined, sizeof joined));
    workload_launch_shared(w, find, ctas, threads, 8 * chunk,
                           (void *[]){&nodes, &chunk, &first, &target, &d_key, &component, &lightest});
    workload_launch_shared(w, join, ctas, threads, 4 * threads,
                           (void *[]){&nodes, &end_a, &end_b, &component, &lightest, &parent, &d_chosen, &d_joined});
    workload_launch(w, rename, ctas, threads, (void *[]){&nodes, &parent, &component, &lightest});
    workload_download(w, &joined, d_joined, sizeof joined);
  }
  workload_download(w, chosen, d_chosen, of_edges);
  free(number), free(none), free(key);
  return rounds;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("mst", argc, argv);
  struct graph g;
  unsigned nodes = (unsigned)workload_value(&w, "nodes"), degree = (unsigned)workload_value(&w, "degree");
  if ((uint64_t)nodes * degree > 0xffffff)
    workload_usage(&w, "nodes=%u degree=%u: more than 2^24 - 1 edges", nodes, degree);
  graph_draw(&w, &g, nodes, degree, (unsigned)workload_value(&w, "span"));
  graph_rows(&w, &g, 1);
  unsigned *chosen = workload_alloc(&w, ((size_t)g.edges + 1) * sizeof *chosen);
  unsigned *want = workload_alloc(&w, ((size_t)g.edges + 1) * sizeof *want), rounds = run(&w, &g, chosen);

  struct workload_comparison comparison = {0};
  forest(&w, &g, want);
  for (unsigned e = 0; e < g.edges; e++) workload_compare_whole(&comparison, e, chosen[e], want[e]);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "nodes=%u edges=%u rounds=%u", nodes, g.edges, rounds);
  workload_close(&w);
  graph_free(&g), free(chosen), free(want);
  return workload_verdict(&w, sizes, &comparison);
}
