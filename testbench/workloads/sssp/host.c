/* SPDX-License-Identifier: Apache-2.0 */
/* sssp: distances from node 0, compared with those of Dijkstra's algorithm. Which nodes are in a list, and in what order, depends on
 * time; the distances do not. */
#include <cuda.h>

#include "sssp_args.h"
#include "sssp_ptx.h"
#include "workload.h"

#include "mst/graph.h"

enum { FAR = 0x7fffffff }; /* no path */

/* ---- Dijkstra 1959, with a heap of distance << 32 | node ---- */

struct heap {
  uint64_t *entry;
  size_t n;
};

static void push(struct heap *h, uint64_t entry) {
  size_t i = h->n++;
  for (; i && h->entry[(i - 1) / 2] > entry; i = (i - 1) / 2) h->entry[i] = h->entry[(i - 1) / 2];
  h->entry[i] = entry;
}

static uint64_t pop(struct heap *h) {
  uint64_t top = h->entry[0], last = h->entry[--h->n];
  size_t i = 0, child;
  while ((child = 2 * i + 1) < h->n) {
    if (child + 1 < h->n && h->entry[child + 1] < h->entry[child]) child++;
    if (h->entry[child] >= last) break;
    h->entry[i] = h->entry[child];
    i = child;
  }
  h->entry[i] = last;
  return top;
}

static void search(const struct workload *w, const struct graph *g, unsigned *distance) {
  struct heap h = {workload_alloc(w, ((size_t)g->entries + 1) * sizeof(uint64_t)), 0};
  for (unsigned i = 0; i < g->nodes; i++) distance[i] = FAR;
  distance[0] = 0;
  push(&h, 0);
  while (h.n) {
    uint64_t top = pop(&h);
    unsigned node = (unsigned)top, own = (unsigned)(top >> 32);
    if (own > distance[node]) continue;
    for (unsigned i = g->first[node]; i < g->first[node + 1]; i++) {
      unsigned to = g->target[i], length = own + g->weight[g->edge[i]];
      if (length >= distance[to]) continue;
      distance[to] = length;
      push(&h, (uint64_t)length << 32 | to);
    }
  }
  free(h.entry);
}

/* ---- the device ---- */

/* Returns the lists. */
static unsigned run(struct workload *w, const struct graph *g, unsigned *distance) {
  unsigned threads = workload_count(w, "threads"), slots = (unsigned)workload_value(w, "slots");
  size_t of_nodes = g->nodes * sizeof(unsigned), of_entries = ((size_t)g->entries + 1) * sizeof(unsigned);
  unsigned *weight = workload_alloc(w, of_entries), *queued = workload_alloc(w, of_nodes), items = 1, lists = 0;
  for (unsigned i = 0; i < g->entries; i++) weight[i] = g->weight[g->edge[i]];
  for (unsigned i = 1; i < g->nodes; i++) distance[i] = FAR;
  workload_sized(w, "threads");
  CUfunction relax = workload_open(w, "sssp_relax");
  CUdeviceptr first = workload_upload(w, g->first, of_nodes + sizeof(unsigned));
  CUdeviceptr target = workload_upload(w, g->target, of_entries), d_weight = workload_upload(w, weight, of_entries);
  CUdeviceptr d_distance = workload_upload(w, distance, of_nodes), list[2];
  CUdeviceptr d_items = workload_upload(w, NULL, sizeof items);
  list[0] = workload_upload(w, queued, of_nodes); /* node 0 */
  list[1] = workload_upload(w, queued, of_nodes);
  queued[0] = 1;
  CUdeviceptr d_queued = workload_upload(w, queued, of_nodes);
  for (; items; lists++) {
    unsigned none = 0, now = lists % 2;
    WORKLOAD_RUN(w, cuMemcpyHtoD(d_items, &none, sizeof none));
    workload_launch_shared(w, relax, (items - 1) / threads + 1, threads, 4 * (slots + 2),
                           (void *[]){&items, &slots, &list[now], &first, &target, &d_weight, &d_distance, &d_queued,
                                      &list[1 - now], &d_items});
    workload_download(w, &items, d_items, sizeof items);
  }
  workload_download(w, distance, d_distance, of_nodes);
  free(weight), free(queued);
  return lists;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("sssp", argc, argv);
  struct graph g;
  unsigned nodes = (unsigned)workload_value(&w, "nodes"), degree = (unsigned)workload_value(&w, "degree");
  graph_draw(&w, &g, nodes, degree, (unsigned)workload_value(&w, "span"));
  graph_rows(&w, &g, 0);
  unsigned *distance = workload_alloc(&w, nodes * sizeof *distance), *want = workload_alloc(&w, nodes * sizeof *want);
  unsigned lists = run(&w, &g, distance);

  struct workload_comparison comparison = {0};
  search(&w, &g, want);
  for (unsigned i = 0; i < nodes; i++) workload_compare_whole(&comparison, i, distance[i], want[i]);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "nodes=%u edges=%u lists=%u", nodes, g.edges, lists);
  workload_close(&w);
  graph_free(&g), free(distance), free(want);
  return workload_verdict(&w, sizes, &comparison);
}
