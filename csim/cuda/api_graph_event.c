/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: nodes of graphs that record events or wait for them. Streams are synchronous: who waits has nothing to wait for. */
#include "api_node.h"

static CUresult add(CUgraphNode *node, CUgraph graph, CUgraphNodeType type, const CUgraphNode *before, size_t n,
                    CUevent event) {
  CUDA_CALL(false);
  if (!cuda_object(d, CUDA_GRAPH, graph)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!cuda_object(d, CUDA_EVENT, event)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  CUresult result = cuda_graph_add(d, node, graph, type, before, n);
  if (!result) (*node)->event = event;
  return cuda_leave(result);
}

CUDA_API CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                            CUevent event) {
  return add(node, graph, CU_GRAPH_NODE_TYPE_EVENT_RECORD, before, n, event);
}
CUDA_API CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                          CUevent event) {
  return add(node, graph, CU_GRAPH_NODE_TYPE_WAIT_EVENT, before, n, event);
}

static CUresult get(CUgraphNode node, CUgraphNodeType type, CUevent *event) {
  CUDA_CALL(false);
  if (!event || !cuda_graph_of(d, node) || node->type != type) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *event = node->event;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event) {
  return get(node, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event);
}
CUDA_API CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event) {
  return get(node, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
}

/* Of the graph itself, or, with `exec`, of the executable graph that was made of it. */
static CUresult set(const CUgraphExec *exec, CUgraphNode node, CUgraphNodeType type, CUevent event) {
  CUDA_CALL(false);
  if (exec && !cuda_object(d, CUDA_GRAPH_EXEC, *exec)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (exec) node = cuda_graph_copy_of((*exec)->graph, node);
  else if (!cuda_graph_of(d, node)) node = NULL;
  if (!node || node->type != type) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!cuda_object(d, CUDA_EVENT, event)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  node->event = event;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return set(NULL, node, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event);
}
CUDA_API CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return set(NULL, node, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
}
CUDA_API CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return set(&exec, node, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event);
}
CUDA_API CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return set(&exec, node, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
}
