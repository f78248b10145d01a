/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: changing graphs: nodes and dependencies taken away, parameters of copies, fills and host functions. */
#include "api_node.h"

/* ---- nodes and dependencies ---- */

/* A graph under capture, of an executable graph or of another node keeps its nodes. */
CUDA_API CUresult cuGraphDestroyNode(CUgraphNode node) {
  CUDA_CALL(false);
  const struct CUgraph_st *graph = cuda_graph_of(d, node);
  if (!graph || graph->owned) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || node->type == CU_GRAPH_NODE_TYPE_MEM_FREE)
    return cuda_leave(cuda_not_supported("nodes that allocate or free memory cannot be taken out of their graph"));
  cuda_node_remove(d, node);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                               const CUgraphEdgeData *data, size_t n) {
  CUDA_CALL(false);
  (void)data; /* there are plain dependencies only */
  if (!cuda_object(d, CUDA_GRAPH, graph) || (n && (!from || !to))) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  for (size_t i = 0; i < n; i++) {
    if (cuda_graph_of(d, from[i]) != graph || cuda_graph_of(d, to[i]) != graph)
      return cuda_leave(CUDA_ERROR_INVALID_VALUE);
    if (!cuda_node_not_after(to[i], from[i])) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  }
  return cuda_leave(CUDA_SUCCESS);
}
CUDA_API CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t n) {
  return cuGraphRemoveDependencies_v2(graph, from, to, NULL, n);
}

/* Where a call lists nodes: its arrays, and how many it may write. NULL arrays: the number alone is wanted. */
struct list {
  CUgraphNode *from, *to;
  CUgraphEdgeData *data;
  size_t room, n;
};

static void put(struct list *l, CUgraphNode from, CUgraphNode to) {
  size_t i = l->n++;
  if (i >= l->room) return;
  if (l->from) l->from[i] = from;
  if (l->to) l->to[i] = to;
  if (l->data) l->data[i] = (CUgraphEdgeData){0};
}

/* Entries beyond those found become NULL; the number that was asked for is cut to those found. */
static void put_end(struct list *l, size_t *n) {
  size_t found = l->n;
  while (l->n < l->room) put(l, NULL, NULL);
  if ((!l->from && !l->to) || found < *n) *n = found;
}

CUDA_API CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data,
                                     size_t *n) {
  CUDA_CALL(false);
  if (!cuda_object(d, CUDA_GRAPH, graph) || !n || !from != !to) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  struct list l = {from, to, data, from ? *n : 0, 0};
  for (CUgraphNode node = graph->first; node; node = node->next)
    for (size_t i = 0; i < node->n_before; i++) put(&l, node->before[i], node);
  put_end(&l, n);
  return cuda_leave(CUDA_SUCCESS);
}
CUDA_API CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *n) {
  return cuGraphGetEdges_v2(graph, from, to, NULL, n);
}

CUDA_API CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data,
                                                  size_t *n) {
  CUDA_CALL(false);
  const struct CUgraph_st *graph = cuda_graph_of(d, node);
  if (!graph || !n) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  struct list l = {NULL, nodes, data, nodes ? *n : 0, 0};
  for (CUgraphNode after = graph->first; after; after = after->next)
    for (size_t i = 0; i < after->n_before; i++)
      if (after->before[i] == node) put(&l, node, after);
  put_end(&l, n);
  return cuda_leave(CUDA_SUCCESS);
}
CUDA_API CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *n) {
  return cuGraphNodeGetDependentNodes_v2(node, nodes, NULL, n);
}

/* ---- copies of graphs ---- */

CUDA_API CUresult cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph clone) {
  CUDA_CALL(false);
  if (!node || !cuda_object(d, CUDA_GRAPH, clone)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *node = cuda_graph_of(d, original) ? cuda_graph_copy_of(clone, original) : NULL;
  return cuda_leave(*node ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

/* The node's own graph, not a copy. */
CUDA_API CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph) {
  CUDA_CALL(false);
  if (!graph || !cuda_graph_of(d, node) || node->type != CU_GRAPH_NODE_TYPE_GRAPH)
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *graph = node->child;
  return cuda_leave(CUDA_SUCCESS);
}

/* ---- parameters ---- */

/* The node of this type that a call names: of a graph, or, with `exec`, that of the executable graph; else NULL. */
static CUgraphNode named(struct cuda_driver *d, const CUgraphExec *exec, CUgraphNode node, CUgraphNodeType type) {
  if (exec && !cuda_object(d, CUDA_GRAPH_EXEC, *exec)) return NULL;
  if (exec) node = cuda_graph_copy_of((*exec)->graph, node);
  else if (!cuda_graph_of(d, node)) return NULL;
  return node && node->type == type ? node : NULL;
}

static CUresult set_copy(const CUgraphExec *exec, CUgraphNode node, const CUDA_MEMCPY3D *p) {
  CUDA_CALL(false);
  CUgraphNode own = named(d, exec, node, CU_GRAPH_NODE_TYPE_MEMCPY);
  if (!own || !p) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  own->rectangle = false;
  own->copy = *p;
  return cuda_leave(CUDA_SUCCESS);
}

static CUresult set_fill(const CUgraphExec *exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p) {
  CUDA_CALL(false);
  CUgraphNode own = named(d, exec, node, CU_GRAPH_NODE_TYPE_MEMSET);
  if (!own || !cuda_graph_can_fill(p)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  own->fill = *p;
  return cuda_leave(CUDA_SUCCESS);
}

static CUresult set_host(const CUgraphExec *exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *p) {
  CUDA_CALL(false);
  CUgraphNode own = named(d, exec, node, CU_GRAPH_NODE_TYPE_HOST);
  if (!own || !p || !p->fn) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  own->host = *p;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *p) {
  return set_copy(NULL, node, p);
}
CUDA_API CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *p,
                                                 CUcontext context) {
  (void)context;
  return set_copy(&exec, node, p);
}
CUDA_API CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p) {
  return set_fill(NULL, node, p);
}
CUDA_API CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p,
                                                 CUcontext context) {
  (void)context;
  return set_fill(&exec, node, p);
}
CUDA_API CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *p) {
  return set_host(NULL, node, p);
}
CUDA_API CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *p) {
  return set_host(&exec, node, p);
}

CUDA_API CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *p) {
  CUDA_CALL(false);
  const struct CUgraphNode_st *own = named(d, NULL, node, CU_GRAPH_NODE_TYPE_MEMSET);
  if (own && p) *p = own->fill;
  return cuda_leave(own && p ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}
CUDA_API CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *p) {
  CUDA_CALL(false);
  const struct CUgraphNode_st *own = named(d, NULL, node, CU_GRAPH_NODE_TYPE_HOST);
  if (own && p) *p = own->host;
  return cuda_leave(own && p ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

/* ---- nodes of executable graphs that do nothing for a while ---- */

static CUgraphNode switched(struct cuda_driver *d, CUgraphExec exec, CUgraphNode node) {
  CUgraphNode own = cuda_object(d, CUDA_GRAPH_EXEC, exec) ? cuda_graph_copy_of(exec->graph, node) : NULL;
  return own && own->type <= CU_GRAPH_NODE_TYPE_MEMSET ? own : NULL; /* kernels, copies and fills */
}

CUDA_API CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int enabled) {
  CUDA_CALL(false);
  CUgraphNode own = switched(d, exec, node);
  if (own) own->disabled = !enabled;
  return cuda_leave(own ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}
CUDA_API CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int *enabled) {
  CUDA_CALL(false);
  const struct CUgraphNode_st *own = switched(d, exec, node);
  if (own && enabled) *enabled = !own->disabled;
  return cuda_leave(own && enabled ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}
