/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: what graphs are made of: nodes, and the parameters of launches that nodes keep. */
#include "api_node.h"

#include <stdlib.h>
#include <string.h>

/* ---- launches ---- */

bool cuda_launch_room(const struct ptx_kernel *k, struct cuda_launch *l) {
  l->pointers = calloc(1, k->n_params * sizeof(void *) + k->param_bytes + 8U);
  if (!l->pointers) return false;
  l->params = (uint8_t *)(l->pointers + k->n_params);
  for (uint32_t i = 0; i < k->n_params; i++) l->pointers[i] = l->params + k->param_offset[i];
  return true;
}

bool cuda_launch_copy(struct cuda_launch *to, const struct cuda_launch *from) {
  *to = *from;
  if (!cuda_launch_room(from->function->kernel, to)) return false;
  memcpy(to->params, from->params, from->function->kernel->param_bytes);
  return true;
}

/* ---- nodes ---- */

bool cuda_node_after(CUgraphNode node, CUgraphNode before) {
  for (size_t i = 0; i < node->n_before; i++)
    if (node->before[i] == before) return true;
  CUgraphNode *list = realloc(node->before, (node->n_before + 1) * sizeof(CUgraphNode));
  if (!list) return false;
  node->before = list;
  list[node->n_before++] = before;
  return true;
}

bool cuda_node_not_after(CUgraphNode node, CUgraphNode before) {
  for (size_t i = 0; i < node->n_before; i++) {
    if (node->before[i] != before) continue;
    memmove(&node->before[i], &node->before[i + 1], (--node->n_before - i) * sizeof(CUgraphNode));
    return true;
  }
  return false;
}

static void node_free(struct cuda_driver *d, CUgraphNode node) {
  if (node->type == CU_GRAPH_NODE_TYPE_KERNEL) free(node->launch.pointers);
  if (node->type == CU_GRAPH_NODE_TYPE_GRAPH && node->child) cuda_graph_free(d, node->child);
  if (node->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) cuda_graphs_free(d, node->choice.body, node->choice.n);
  bool memory = node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || node->type == CU_GRAPH_NODE_TYPE_MEM_FREE;
  if (memory && node->memory) cuda_graph_memory_drop(d, node->memory);
  free(node->before);
  free(node);
}

CUgraphNode cuda_node_new(CUgraph graph, CUgraphNodeType type, const CUgraphNode *before, size_t n) {
  CUgraphNode node = calloc(1, sizeof *node);
  if (!node) return NULL;
  node->graph = graph;
  node->type = type;
  for (size_t i = 0; i < n; i++)
    if (!cuda_node_after(node, before[i])) {
      free(node->before);
      free(node);
      return NULL;
    }
  if (graph->last) graph->last->next = node;
  else graph->first = node;
  graph->last = node;
  graph->n++;
  return node;
}

void cuda_node_remove(struct cuda_driver *d, CUgraphNode node) {
  CUgraph graph = node->graph;
  CUgraphNode last = NULL;
  for (CUgraphNode *link = &graph->first; *link;) {
    CUgraphNode other = *link;
    if (other == node) {
      *link = other->next;
      continue;
    }
    cuda_node_not_after(other, node);
    last = other;
    link = &other->next;
  }
  graph->last = last;
  graph->n--;
  node_free(d, node);
}

/* ---- memory ---- */

bool cuda_graph_has_memory(CUgraph graph) {
  for (CUgraphNode node = graph->first; node; node = node->next)
    if (node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || node->type == CU_GRAPH_NODE_TYPE_MEM_FREE) return true;
  return false;
}

CUresult cuda_graph_memory_take(struct cuda_driver *d, struct cuda_graph_memory *m) {
  if (m->live) return CUDA_ERROR_INVALID_VALUE; /* the last launch's is not freed */
  m->live = true;
  d->graph_used += m->bytes;
  if (d->graph_used > d->graph_used_high) d->graph_used_high = d->graph_used;
  return CUDA_SUCCESS;
}

void cuda_graph_memory_give_all(struct cuda_driver *d, CUgraph graph) {
  for (CUgraphNode node = graph->first; node; node = node->next)
    if (node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC && node->memory->live)
      cuda_graph_memory_give(d, node->memory->address);
}

/* ---- objects of the program that graphs refer to ---- */

void cuda_user_give_back(struct cuda_driver *d, CUuserObject user, uint64_t count) {
  user->references -= count;
  if (user->references) return;
  struct cuda_dead *dead = user->dead;
  dead->next = d->dead;
  d->dead = dead;
  cuda_object_free(d, CUDA_USER_OBJECT, user);
}

struct cuda_held **cuda_graph_held(CUgraph graph, const struct CUuserObject_st *user) {
  struct cuda_held **link = &graph->held;
  while (*link && (*link)->user != user) link = &(*link)->next;
  return link;
}

bool cuda_graph_hold(CUgraph graph, CUuserObject user, uint64_t count) {
  struct cuda_held **link = cuda_graph_held(graph, user);
  if (!*link && !(*link = calloc(1, sizeof **link))) return false;
  (*link)->user = user;
  (*link)->count += count;
  return true;
}

bool cuda_graph_hold_all(CUgraph to, const struct CUgraph_st *from) {
  for (const struct cuda_held *h = from->held; h; h = h->next) {
    if (!cuda_graph_hold(to, h->user, h->count)) return false;
    h->user->references += h->count;
  }
  return true;
}

void cuda_graph_drop_all(struct cuda_driver *d, CUgraph graph) {
  for (struct cuda_held *h; (h = graph->held);) {
    graph->held = h->next;
    cuda_user_give_back(d, h->user, h->count);
    free(h);
  }
}

/* ---- graphs ---- */

void cuda_graph_free(struct cuda_driver *d, CUgraph graph) {
  for (CUgraphNode node = graph->first, next; node; node = next) {
    next = node->next;
    node_free(d, node);
  }
  cuda_graph_drop_all(d, graph);
  cuda_object_free(d, CUDA_GRAPH, graph);
}

void cuda_graphs_free(struct cuda_driver *d, CUgraph *graphs, uint32_t n) {
  for (uint32_t i = 0; graphs && i < n; i++)
    if (graphs[i]) cuda_graph_free(d, graphs[i]);
  free(graphs);
}
