/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs of host programs, by rows (CSR): node i has the entries first[i] .. first[i + 1] - 1 of `target` and `value`. The law of the
 * input, fixed before anything was measured on it: edge e leaves node e % nodes, so that all nodes have the same number of edges but
 * those that others add; its other end is uniform among the other nodes, or among the `span` next ones in a circle; its weight
 * is uniform in 1 .. 255. (Uniform random graphs and road maps are inputs of LonestarGPU: Burtscher, Nasre, Pingali 2012.) */
#ifndef GRAPH_H
#define GRAPH_H

struct graph {
  unsigned nodes, edges, entries;
  unsigned *end[2], *weight;       /* of an edge */
  unsigned *first, *target, *edge; /* rows; edge: that of an entry */
};

/* The ends and weights of `nodes` * `degree` edges; none if there is one node. */
static inline void graph_draw(const struct workload *w, struct graph *g, unsigned nodes, unsigned degree,
                              unsigned span) {
  uint64_t seed = (uint64_t)workload_value(w, "seed");
  g->nodes = nodes;
  g->edges = nodes > 1 ? nodes * degree : 0;
  for (int k = 0; k < 2; k++) g->end[k] = workload_alloc(w, ((size_t)g->edges + 1) * sizeof(unsigned));
  g->weight = workload_alloc(w, ((size_t)g->edges + 1) * sizeof(unsigned));
  unsigned reach = span && span < nodes ? span : nodes - 1;
  for (unsigned e = 0; e < g->edges; e++) {
    unsigned from = e % nodes;
    g->end[0][e] = from;
    g->end[1][e] = (from + 1 + (unsigned)(workload_bits(seed, 1, e) % reach)) % nodes;
    g->weight[e] = 1 + (unsigned)(workload_bits(seed, 2, e) % 255);
  }
}

/* Its rows; both ways: an edge is in the rows of both ends. */
static inline void graph_rows(const struct workload *w, struct graph *g, int both_ways) {
  int ways = both_ways ? 2 : 1;
  g->entries = g->edges * (unsigned)ways;
  g->first = workload_alloc(w, ((size_t)g->nodes + 2) * sizeof(unsigned));
  g->target = workload_alloc(w, ((size_t)g->entries + 1) * sizeof(unsigned));
  g->edge = workload_alloc(w, ((size_t)g->entries + 1) * sizeof(unsigned));
  unsigned *next = g->first + 1; /* where the next entry of a node goes */
  for (int k = 0; k < ways; k++)
    for (unsigned e = 0; e < g->edges; e++) g->first[g->end[k][e] + 2]++;
  for (unsigned i = 2; i <= g->nodes; i++) g->first[i] += g->first[i - 1];
  for (int k = 0; k < ways; k++)
    for (unsigned e = 0; e < g->edges; e++) {
      unsigned at = next[g->end[k][e]]++;
      g->target[at] = g->end[1 - k][e];
      g->edge[at] = e;
    }
}

static inline void graph_free(struct graph *g) {
  free(g->end[0]), free(g->end[1]), free(g->weight), free(g->first), free(g->target), free(g->edge);
}

#endif
