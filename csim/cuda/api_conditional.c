/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: nodes of graphs whose bodies are executed by a condition, and nodes of any type made by one call. */
#include "api_node.h"

#include <stdlib.h>
#include <string.h>

enum { BODIES_MAX = 1024 /* assumption: of a node that switches */ };

CUDA_API CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph, CUcontext context,
                                                 unsigned int initial, unsigned int flags) {
  CUDA_CALL(true);
  CUcontext owner = context ? cuda_object(d, CUDA_CONTEXT, context) : cuda_current();
  if (!handle || !cuda_object(d, CUDA_GRAPH, graph) || flags & ~(unsigned)CU_GRAPH_COND_ASSIGN_DEFAULT)
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!owner || !owner->alive) return cuda_leave(CUDA_ERROR_INVALID_CONTEXT);
  struct cuda_condition *c = calloc(1, sizeof *c);
  if (!c) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  *c = (struct cuda_condition){owner->conditions, initial, initial, flags & CU_GRAPH_COND_ASSIGN_DEFAULT};
  owner->conditions = c;
  *handle = (uintptr_t)c;
  return cuda_leave(CUDA_SUCCESS);
}

static struct cuda_condition *condition_of(CUgraphConditionalHandle handle) {
  struct cuda_condition *c = cuda_current()->conditions;
  while (c && (uintptr_t)c != handle) c = c->next;
  return c;
}

static bool is_size(CUgraphConditionalNodeType type, unsigned int n) {
  switch (type) {
    case CU_GRAPH_COND_TYPE_IF: return n == 1 || n == 2;
    case CU_GRAPH_COND_TYPE_WHILE: return n == 1;
    case CU_GRAPH_COND_TYPE_SWITCH: return n >= 1 && n <= BODIES_MAX;
  }
  return false;
}

static CUgraph *new_bodies(struct cuda_driver *d, uint32_t n) {
  CUgraph *body = calloc(n, sizeof(CUgraph));
  for (uint32_t i = 0; body && i < n; i++) {
    body[i] = cuda_object_new(d, CUDA_GRAPH, sizeof **body, NULL);
    if (!body[i]) {
      cuda_graphs_free(d, body, n);
      return NULL;
    }
    body[i]->owned = true;
  }
  return body;
}

static CUresult add_conditional(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                CUDA_CONDITIONAL_NODE_PARAMS *p) {
  CUDA_CALL(true);
  struct cuda_condition *condition = condition_of(p->handle);
  if (!condition || !is_size(p->type, p->size) || !cuda_object(d, CUDA_GRAPH, graph))
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUgraph *body = new_bodies(d, p->size);
  if (!body) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  CUresult result = cuda_graph_add(d, node, graph, CU_GRAPH_NODE_TYPE_CONDITIONAL, before, n);
  if (result) {
    cuda_graphs_free(d, body, p->size);
    return cuda_leave(result);
  }
  (*node)->choice.condition = condition;
  (*node)->choice.kind = p->type;
  (*node)->choice.n = p->size;
  (*node)->choice.body = p->phGraph_out = body;
  return cuda_leave(CUDA_SUCCESS);
}

static CUresult add_fill(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                         const CUDA_MEMSET_NODE_PARAMS_v2 *p) {
  const CUDA_MEMSET_NODE_PARAMS f = {p->dst, p->pitch, p->value, p->elementSize, p->width, p->height};
  return cuGraphAddMemsetNode(node, graph, before, n, &f, p->ctx);
}

/* Each type has its own call, which checks the rest. */
static CUresult add(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n, CUgraphNodeParams *p) {
  switch (p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return cuGraphAddKernelNode(node, graph, before, n, &p->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return cuGraphAddMemcpyNode(node, graph, before, n, &p->memcpy.copyParams, p->memcpy.copyCtx);
    case CU_GRAPH_NODE_TYPE_MEMSET: return add_fill(node, graph, before, n, &p->memset);
    case CU_GRAPH_NODE_TYPE_HOST: return cuGraphAddHostNode(node, graph, before, n, &p->host);
    case CU_GRAPH_NODE_TYPE_GRAPH: return cuGraphAddChildGraphNode(node, graph, before, n, p->graph.graph);
    case CU_GRAPH_NODE_TYPE_EMPTY: return cuGraphAddEmptyNode(node, graph, before, n);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT: return cuGraphAddEventWaitNode(node, graph, before, n, p->eventWait.event);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return cuGraphAddEventRecordNode(node, graph, before, n, p->eventRecord.event);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: return cuGraphAddMemAllocNode(node, graph, before, n, &p->alloc);
    case CU_GRAPH_NODE_TYPE_MEM_FREE: return cuGraphAddMemFreeNode(node, graph, before, n, p->free.dptr);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL: return add_conditional(node, graph, before, n, &p->conditional);
  }
  return cuda_not_supported(
    "graphs: nodes of external semaphores and of batches of memory operations are not simulated");
}

CUDA_API CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                                    const CUgraphEdgeData *data, size_t n, CUgraphNodeParams *p) {
  static const CUgraphEdgeData plain = {0};
  if (!p) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; data && i < n; i++)
    if (memcmp(&data[i], &plain, sizeof plain) != 0)
      return cuda_not_supported("graphs: edges other than plain dependencies are not simulated");
  return add(node, graph, before, n, p);
}
CUDA_API CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                 CUgraphNodeParams *p) {
  return cuGraphAddNode_v2(node, graph, before, NULL, n, p);
}
