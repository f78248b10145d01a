/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: graphs, their nodes, and launches of them. */
#include "api_node.h"

#include <stdlib.h>
#include <string.h>

/* ---- handles ---- */

CUgraph cuda_graph_of(const struct cuda_driver *d, CUgraphNode handle) {
  for (struct cuda_object *o = d->objects[CUDA_GRAPH]; o; o = o->next) {
    CUgraph graph = (CUgraph)(void *)o;
    for (CUgraphNode node = graph->first; node; node = node->next)
      if (node == handle) return graph;
  }
  return NULL;
}

/* ---- copies ---- */

CUgraphNode cuda_graph_copy_of(CUgraph graph, CUgraphNode origin) {
  CUgraphNode node = graph->first;
  while (node && node->origin != origin) node = node->next;
  return node;
}

static bool copy_bodies(struct cuda_driver *d, CUgraphNode to, const struct CUgraphNode_st *from) {
  to->choice.body = calloc(from->choice.n, sizeof(CUgraph));
  for (uint32_t i = 0; to->choice.body && i < from->choice.n; i++)
    if (!(to->choice.body[i] = cuda_graph_copy(d, from->choice.body[i]))) return false;
  return to->choice.body;
}

static bool copy_content(struct cuda_driver *d, CUgraphNode to, const struct CUgraphNode_st *from) {
  to->rectangle = from->rectangle;
  to->disabled = from->disabled;
  to->copy = from->copy; /* the largest member */
  if (from->type == CU_GRAPH_NODE_TYPE_KERNEL) return cuda_launch_copy(&to->launch, &from->launch);
  if (from->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || from->type == CU_GRAPH_NODE_TYPE_MEM_FREE) to->memory->nodes++;
  if (from->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) return copy_bodies(d, to, from);
  if (from->type == CU_GRAPH_NODE_TYPE_GRAPH) to->child = cuda_graph_copy(d, from->child);
  return from->type != CU_GRAPH_NODE_TYPE_GRAPH || to->child;
}

/* The next node, in the order of making, whose predecessors are all done. */
static CUgraphNode next_ready(CUgraph graph, CUgraphNode from) {
  for (CUgraphNode node = from ? from : graph->first; node; node = node->next) {
    bool ready = !node->done;
    for (size_t i = 0; i < node->n_before && ready; i++) ready = node->before[i]->done;
    if (ready) return node;
  }
  return NULL;
}

CUgraph cuda_graph_copy(struct cuda_driver *d, CUgraph graph) {
  CUgraph copy = cuda_object_new(d, CUDA_GRAPH, sizeof *copy, NULL);
  if (!copy) return NULL;
  copy->owned = true;
  for (CUgraphNode node = graph->first; node; node = node->next) node->done = false;
  CUgraphNode node = next_ready(graph, NULL);
  for (; node; node = next_ready(graph, node->next), node = node ? node : next_ready(graph, NULL)) {
    node->done = true;
    CUgraphNode made = cuda_node_new(copy, node->type, NULL, 0);
    if (!made) break;
    made->origin = node;
    node->made = made;
    bool good = copy_content(d, made, node);
    for (size_t i = 0; i < node->n_before && good; i++) good = cuda_node_after(made, node->before[i]->made);
    if (!good) break;
  }
  if (copy->n == graph->n && !node && cuda_graph_hold_all(copy, graph)) return copy;
  cuda_graph_free(d, copy);
  return NULL;
}

/* ---- graphs ---- */

CUDA_API CUresult cuGraphCreate(CUgraph *graph, unsigned int flags) {
  CUDA_CALL(false);
  if (!graph || flags) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *graph = cuda_object_new(d, CUDA_GRAPH, sizeof **graph, NULL);
  return cuda_leave(*graph ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

/* Begins a call about a graph that the program holds. */
#define GRAPH_CALL(graph) \
  CUDA_CALL(false);       \
  if (!cuda_object(d, CUDA_GRAPH, graph)) return cuda_leave(CUDA_ERROR_INVALID_VALUE)

CUDA_API CUresult cuGraphDestroy(CUgraph graph) {
  GRAPH_CALL(graph);
  if (graph->owned) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  cuda_graph_free(d, graph);
  return cuda_leave(CUDA_SUCCESS);
}

/* As the documentation of CUDA 12 has it: a graph that allocates or frees memory is neither cloned nor a child. */
CUresult cuda_graph_no_second_memory(void) {
  return cuda_not_supported("graphs that allocate or free memory cannot be cloned, nor be child graphs");
}

CUDA_API CUresult cuGraphClone(CUgraph *clone, CUgraph graph) {
  GRAPH_CALL(graph);
  if (!clone) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (cuda_graph_has_memory(graph)) return cuda_leave(cuda_graph_no_second_memory());
  *clone = cuda_graph_copy(d, graph);
  if (*clone) (*clone)->owned = false;
  return cuda_leave(*clone ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

/* ---- adding nodes ---- */

CUresult cuda_graph_add(struct cuda_driver *d, CUgraphNode *node, CUgraph graph, CUgraphNodeType type,
                        const CUgraphNode *before, size_t n) {
  if (!node || (n && !before)) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < n; i++)
    if (cuda_graph_of(d, before[i]) != graph) return CUDA_ERROR_INVALID_VALUE;
  *node = cuda_node_new(graph, type, before, n);
  return *node ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUDA_API CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                       const CUDA_KERNEL_NODE_PARAMS *p) {
  GRAPH_CALL(graph);
  struct cuda_launch launch;
  CUresult result = p ? cuda_launch_prepare(d, p, false, &launch) : CUDA_ERROR_INVALID_VALUE;
  if (result) return cuda_leave(result);
  if ((result = cuda_graph_add(d, node, graph, CU_GRAPH_NODE_TYPE_KERNEL, before, n))) free(launch.pointers);
  else (*node)->launch = launch;
  return cuda_leave(result);
}

CUDA_API CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                       const CUDA_MEMCPY3D *p, CUcontext context) {
  (void)context;
  GRAPH_CALL(graph);
  CUresult result = p ? cuda_graph_add(d, node, graph, CU_GRAPH_NODE_TYPE_MEMCPY, before, n) : CUDA_ERROR_INVALID_VALUE;
  if (!result) (*node)->copy = *p;
  return cuda_leave(result);
}

bool cuda_graph_can_fill(const CUDA_MEMSET_NODE_PARAMS *p) {
  return p && (p->elementSize == 1 || p->elementSize == 2 || p->elementSize == 4);
}

CUDA_API CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                       const CUDA_MEMSET_NODE_PARAMS *p, CUcontext context) {
  (void)context;
  GRAPH_CALL(graph);
  CUresult result = cuda_graph_can_fill(p) ? cuda_graph_add(d, node, graph, CU_GRAPH_NODE_TYPE_MEMSET, before, n)
                                           : CUDA_ERROR_INVALID_VALUE;
  if (!result) (*node)->fill = *p;
  return cuda_leave(result);
}

CUDA_API CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                     const CUDA_HOST_NODE_PARAMS *p) {
  GRAPH_CALL(graph);
  CUresult result =
    p && p->fn ? cuda_graph_add(d, node, graph, CU_GRAPH_NODE_TYPE_HOST, before, n) : CUDA_ERROR_INVALID_VALUE;
  if (!result) (*node)->host = *p;
  return cuda_leave(result);
}

CUDA_API CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n) {
  GRAPH_CALL(graph);
  return cuda_leave(cuda_graph_add(d, node, graph, CU_GRAPH_NODE_TYPE_EMPTY, before, n));
}

CUDA_API CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                           CUgraph child) {
  GRAPH_CALL(graph);
  if (!cuda_object(d, CUDA_GRAPH, child)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (cuda_graph_has_memory(child)) return cuda_leave(cuda_graph_no_second_memory());
  CUgraph copy = cuda_graph_copy(d, child);
  if (!copy) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  CUresult result = cuda_graph_add(d, node, graph, CU_GRAPH_NODE_TYPE_GRAPH, before, n);
  if (result) cuda_graph_free(d, copy);
  else (*node)->child = copy;
  return cuda_leave(result);
}

CUDA_API CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                            const CUgraphEdgeData *data, size_t n) {
  static const CUgraphEdgeData plain = {0};
  GRAPH_CALL(graph);
  if (n && (!from || !to)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  for (size_t i = 0; i < n; i++) {
    if (data && memcmp(&data[i], &plain, sizeof plain) != 0)
      return cuda_leave(cuda_not_supported("graphs: edges other than plain dependencies are not simulated"));
    if (cuda_graph_of(d, from[i]) != graph || cuda_graph_of(d, to[i]) != graph || from[i] == to[i])
      return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  }
  for (size_t i = 0; i < n; i++)
    if (!cuda_node_after(to[i], from[i])) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t n) {
  return cuGraphAddDependencies_v2(graph, from, to, NULL, n);
}

/* ---- looking at graphs ---- */

CUDA_API CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type) {
  CUDA_CALL(false);
  if (!type || !cuda_graph_of(d, node)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *type = node->type;
  return cuda_leave(CUDA_SUCCESS);
}

/* Without an array the number alone; entries beyond the number of nodes become NULL. */
static CUresult list_nodes(CUgraph graph, bool roots, CUgraphNode *nodes, size_t *n) {
  size_t found = 0;
  if (!n) return CUDA_ERROR_INVALID_VALUE;
  for (CUgraphNode node = graph->first; node; node = node->next) {
    if (roots && node->n_before) continue;
    if (nodes && found < *n) nodes[found] = node;
    found++;
  }
  for (size_t i = found; nodes && i < *n; i++) nodes[i] = NULL;
  if (!nodes || found < *n) *n = found;
  return CUDA_SUCCESS;
}

CUDA_API CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *n) {
  GRAPH_CALL(graph);
  return cuda_leave(list_nodes(graph, false, nodes, n));
}
CUDA_API CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *n) {
  GRAPH_CALL(graph);
  return cuda_leave(list_nodes(graph, true, nodes, n));
}

CUDA_API CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data,
                                                size_t *n) {
  CUDA_CALL(false);
  if (!n || !cuda_graph_of(d, node)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  for (size_t i = 0; nodes && i < *n; i++) nodes[i] = i < node->n_before ? node->before[i] : NULL;
  for (size_t i = 0; data && i < *n; i++) data[i] = (CUgraphEdgeData){0};
  if (!nodes || node->n_before < *n) *n = node->n_before;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *n) {
  return cuGraphNodeGetDependencies_v2(node, nodes, NULL, n);
}

/* ---- parameters of kernel nodes ---- */

CUDA_API CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *p) {
  CUDA_CALL(false);
  if (!p || !cuda_graph_of(d, node) || node->type != CU_GRAPH_NODE_TYPE_KERNEL)
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  const struct cuda_launch *l = &node->launch;
  *p = (CUDA_KERNEL_NODE_PARAMS){.func = l->function,
                                 .gridDimX = l->grid[0],
                                 .gridDimY = l->grid[1],
                                 .gridDimZ = l->grid[2],
                                 .blockDimX = l->block[0],
                                 .blockDimY = l->block[1],
                                 .blockDimZ = l->block[2],
                                 .sharedMemBytes = l->shared,
                                 .kernelParams = l->pointers};
  return cuda_leave(CUDA_SUCCESS);
}

static CUresult set_kernel(struct cuda_driver *d, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p) {
  struct cuda_launch launch;
  if (!p || !node || node->type != CU_GRAPH_NODE_TYPE_KERNEL) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = cuda_launch_prepare(d, p, node->launch.cooperative, &launch);
  if (result) return result;
  free(node->launch.pointers);
  node->launch = launch;
  return CUDA_SUCCESS;
}

CUDA_API CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p) {
  CUDA_CALL(false);
  return cuda_leave(cuda_graph_of(d, node) ? set_kernel(d, node, p) : CUDA_ERROR_INVALID_VALUE);
}

CUDA_API CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p) {
  CUDA_CALL(false);
  if (!cuda_object(d, CUDA_GRAPH_EXEC, exec)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  return cuda_leave(set_kernel(d, cuda_graph_copy_of(exec->graph, node), p));
}

/* ---- executable graphs ---- */

static void exec_free(struct cuda_driver *d, CUgraphExec exec) {
  cuda_graph_free(d, exec->graph);
  cuda_object_free(d, CUDA_GRAPH_EXEC, exec);
}

/* Whether each node can be executed behind those it depends on; if not, *node is one of the circle or behind it. */
static bool has_order(CUgraph graph, CUgraphNode *node) {
  for (CUgraphNode n = graph->first; n; n = n->next) n->done = false;
  for (CUgraphNode n; (n = next_ready(graph, NULL));) n->done = true;
  for (*node = graph->first; *node && (*node)->done; *node = (*node)->next) {
  }
  return !*node;
}

static CUresult instantiate(struct cuda_driver *d, CUgraphExec *exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *p) {
  const cuuint64_t known = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
                           CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
  p->result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
  p->hErrNode_out = NULL;
  if (!exec || p->flags & ~(known | CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)) return CUDA_ERROR_INVALID_VALUE;
  if (p->flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)
    return cuda_not_supported("graphs that kernels launch are not simulated; launch from the host");
  if (!has_order(graph, &p->hErrNode_out)) {
    p->result_out = CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUgraph copy = cuda_graph_copy(d, graph);
  CUgraphExec made = copy ? cuda_object_new(d, CUDA_GRAPH_EXEC, sizeof *made, NULL) : NULL;
  if (!made) {
    if (copy) cuda_graph_free(d, copy);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  made->graph = copy;
  made->flags = p->flags;
  *exec = made;
  p->result_out = CUDA_GRAPH_INSTANTIATE_SUCCESS;
  return CUDA_SUCCESS;
}

CUDA_API CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
  GRAPH_CALL(graph);
  return cuda_leave(instantiate(d, exec, graph, &(CUDA_GRAPH_INSTANTIATE_PARAMS){.flags = flags}));
}

/* An upload, which a launch needs no more after it, has nothing to do. */
CUDA_API CUresult cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *p) {
  GRAPH_CALL(graph);
  if (!p) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUresult result = instantiate(d, exec, graph, p);
  if (!result && p->flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD && !cuda_is_stream(d, p->hUploadStream)) {
    exec_free(d, *exec);
    p->result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
    result = CUDA_ERROR_INVALID_HANDLE;
  }
  return cuda_leave(result);
}

CUDA_API CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t *flags) {
  CUDA_CALL(false);
  if (!flags || !cuda_object(d, CUDA_GRAPH_EXEC, exec)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *flags = exec->flags;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuGraphExecDestroy(CUgraphExec exec) {
  CUDA_CALL(false);
  if (!cuda_object(d, CUDA_GRAPH_EXEC, exec)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  exec_free(d, exec);
  return cuda_leave(CUDA_SUCCESS);
}

/* Where the graphs differ in more than the parameters of their nodes, the executable graph stays as it is. */
CUDA_API CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info) {
  GRAPH_CALL(graph);
  if (!cuda_object(d, CUDA_GRAPH_EXEC, exec) || !info) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUgraph copy = cuda_graph_copy(d, graph);
  if (!copy) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  *info = (CUgraphExecUpdateResultInfo){.result = CU_GRAPH_EXEC_UPDATE_SUCCESS};
  CUgraphNode a = exec->graph->first, b = copy->first;
  for (; a && b && !info->result; a = a->next, b = b->next) {
    if (a->type != b->type) info->result = CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
    else if (a->n_before != b->n_before) info->result = CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    if (info->result) info->errorNode = b->origin;
  }
  if (!info->result && (a || b)) info->result = CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
  if (info->result) {
    cuda_graph_free(d, copy);
    return cuda_leave(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  }
  for (a = exec->graph->first, b = copy->first; a; a = a->next, b = b->next) {
    b->origin = a->origin; /* known by the first graph's nodes */
    b->disabled = a->disabled;
  }
  cuda_graph_free(d, exec->graph);
  exec->graph = copy;
  return cuda_leave(CUDA_SUCCESS);
}

static CUresult execute_graph(CUgraph graph, CUstream stream);

static CUresult fill(const CUDA_MEMSET_NODE_PARAMS *p, CUstream stream) {
  size_t height = p->height ? p->height : 1;
  if (p->elementSize == 1)
    return cuMemsetD2D8Async(p->dst, p->pitch, (unsigned char)p->value, p->width, height, stream);
  if (p->elementSize == 2)
    return cuMemsetD2D16Async(p->dst, p->pitch, (unsigned short)p->value, p->width, height, stream);
  return cuMemsetD2D32Async(p->dst, p->pitch, p->value, p->width, height, stream);
}

static CUresult execute_kernel(const struct cuda_launch *l, CUstream stream) {
  CUDA_CALL(true);
  return cuda_leave(cuda_launch_run(d, l, stream));
}

static CUresult execute_memory(CUgraphNode node) {
  CUDA_CALL(true);
  bool takes = node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  return cuda_leave(takes ? cuda_graph_memory_take(d, node->memory) : cuda_graph_memory_give(d, node->memory->address));
}

static CUresult execute_event(CUgraphNode node, CUstream stream) {
  CUDA_CALL(true);
  CUevent event = cuda_object(d, CUDA_EVENT, node->event);
  if (!event) return cuda_leave(CUDA_ERROR_INVALID_VALUE); /* destroyed since the node was made */
  if (node->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD) cuda_event_record(d, event, stream);
  return cuda_leave(CUDA_SUCCESS);
}

/* The body that a condition's value chooses; NULL: none. */
static CUgraph chosen(const struct CUgraphNode_st *node) {
  uint32_t value = node->choice.condition->value, n = node->choice.n;
  if (node->choice.kind == CU_GRAPH_COND_TYPE_IF) value = !value;
  else if (node->choice.kind == CU_GRAPH_COND_TYPE_WHILE) value = value ? 0 : n;
  return value < n ? node->choice.body[value] : NULL;
}

static CUresult execute_choice(const struct CUgraphNode_st *node, CUstream stream) {
  CUgraph body = chosen(node);
  CUresult result = body ? execute_graph(body, stream) : CUDA_SUCCESS;
  while (!result && node->choice.kind == CU_GRAPH_COND_TYPE_WHILE && (body = chosen(node)))
    result = execute_graph(body, stream);
  return result;
}

/* A launch gives the conditions their first values. */
static void assign_conditions(CUgraph graph) {
  for (CUgraphNode node = graph->first; node; node = node->next) {
    if (node->type == CU_GRAPH_NODE_TYPE_GRAPH) assign_conditions(node->child);
    if (node->type != CU_GRAPH_NODE_TYPE_CONDITIONAL) continue;
    struct cuda_condition *c = node->choice.condition;
    if (c->assigned) c->value = c->initial;
    for (uint32_t i = 0; i < node->choice.n; i++) assign_conditions(node->choice.body[i]);
  }
}

/* Without the lock: nodes are calls of the API, and host functions may take their time. */
static CUresult execute(CUgraphNode node, CUstream stream) {
  switch (node->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return execute_kernel(&node->launch, stream);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return node->rectangle ? cuMemcpy2DAsync(&node->copy2d, stream) : cuMemcpy3DAsync(&node->copy, stream);
    case CU_GRAPH_NODE_TYPE_MEMSET: return fill(&node->fill, stream);
    case CU_GRAPH_NODE_TYPE_HOST: node->host.fn(node->host.userData); return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_GRAPH: return execute_graph(node->child, stream);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    case CU_GRAPH_NODE_TYPE_MEM_FREE: return execute_memory(node);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL: return execute_choice(node, stream);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return execute_event(node, stream);
    default: return CUDA_SUCCESS;
  }
}

static CUresult execute_graph(CUgraph graph, CUstream stream) {
  CUresult result = CUDA_SUCCESS;
  for (CUgraphNode node = graph->first; node && !result; node = node->next)
    if (!node->disabled) result = execute(node, stream);
  return result;
}

static CUresult find_exec(CUgraphExec exec, CUstream stream, CUgraph *graph) {
  CUDA_STREAM_CALL(stream);
  if (!cuda_object(d, CUDA_GRAPH_EXEC, exec)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *graph = exec->graph;
  if (!s || !s->capture) {
    if (exec->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) cuda_graph_memory_give_all(d, exec->graph);
    assign_conditions(exec->graph);
    return cuda_leave(CUDA_SUCCESS);
  }
  *graph = NULL;
  if (cuda_graph_has_memory(exec->graph)) return cuda_leave(cuda_graph_no_second_memory());
  CUgraph copy = cuda_graph_copy(d, exec->graph);
  CUgraphNode node = copy ? cuda_capture_node(d, s, CU_GRAPH_NODE_TYPE_GRAPH) : NULL;
  if (node) node->child = copy;
  else if (copy) cuda_graph_free(d, copy);
  return cuda_leave(node ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

CUDA_API CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  CUgraph graph = NULL;
  CUresult result = find_exec(exec, stream, &graph);
  return result || !graph ? result : execute_graph(graph, stream);
}

CUDA_API CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
  CUDA_STREAM_CALL(stream);
  return cuda_leave(cuda_object(d, CUDA_GRAPH_EXEC, exec) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}
