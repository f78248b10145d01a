/* SPDX-License-Identifier: Apache-2.0 */
/* Runtime API: changing graphs: events, nodes and dependencies taken away, parameters of copies, fills and host functions. */
#include "runtime.h"

/* ---- objects of the program that graphs refer to, and graphs as text ---- */

RT_API cudaError_t cudaUserObjectCreate(CUuserObject *user, void *data, CUhostFn destroy, unsigned int references,
                                        unsigned int flags) {
  RT_DRIVER(cuUserObjectCreate(user, data, destroy, references, flags));
}
RT_API cudaError_t cudaUserObjectRetain(CUuserObject user, unsigned int count) {
  RT_DRIVER(cuUserObjectRetain(user, count));
}
RT_API cudaError_t cudaUserObjectRelease(CUuserObject user, unsigned int count) {
  RT_DRIVER(cuUserObjectRelease(user, count));
}
RT_API cudaError_t cudaGraphRetainUserObject(CUgraph graph, CUuserObject user, unsigned int count, unsigned int flags) {
  RT_DRIVER(cuGraphRetainUserObject(graph, user, count, flags));
}
RT_API cudaError_t cudaGraphReleaseUserObject(CUgraph graph, CUuserObject user, unsigned int count) {
  RT_DRIVER(cuGraphReleaseUserObject(graph, user, count));
}
RT_API cudaError_t cudaGraphDebugDotPrint(CUgraph graph, const char *path, unsigned int flags) {
  RT_DRIVER(cuGraphDebugDotPrint(graph, path, flags));
}

/* ---- events ---- */

RT_API cudaError_t cudaGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                               CUevent event) {
  RT_DRIVER(cuGraphAddEventRecordNode(node, graph, before, n, event));
}
RT_API cudaError_t cudaGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                             CUevent event) {
  RT_DRIVER(cuGraphAddEventWaitNode(node, graph, before, n, event));
}
RT_API cudaError_t cudaGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event) {
  RT_DRIVER(cuGraphEventRecordNodeGetEvent(node, event));
}
RT_API cudaError_t cudaGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  RT_DRIVER(cuGraphEventRecordNodeSetEvent(node, event));
}
RT_API cudaError_t cudaGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event) {
  RT_DRIVER(cuGraphEventWaitNodeGetEvent(node, event));
}
RT_API cudaError_t cudaGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  RT_DRIVER(cuGraphEventWaitNodeSetEvent(node, event));
}
RT_API cudaError_t cudaGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  RT_DRIVER(cuGraphExecEventRecordNodeSetEvent(exec, node, event));
}
RT_API cudaError_t cudaGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  RT_DRIVER(cuGraphExecEventWaitNodeSetEvent(exec, node, event));
}

/* ---- nodes and dependencies; CUDA 13 gave the latter the data of edges ---- */

RT_API cudaError_t cudaGraphDestroyNode(CUgraphNode node) { RT_DRIVER(cuGraphDestroyNode(node)); }
RT_API cudaError_t cudaGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph clone) {
  RT_DRIVER(cuGraphNodeFindInClone(node, original, clone));
}
RT_API cudaError_t cudaGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph) {
  RT_DRIVER(cuGraphChildGraphNodeGetGraph(node, graph));
}
RT_API cudaError_t cudaGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int enabled) {
  RT_DRIVER(cuGraphNodeSetEnabled(exec, node, enabled));
}
RT_API cudaError_t cudaGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int *enabled) {
  RT_DRIVER(cuGraphNodeGetEnabled(exec, node, enabled));
}

#if TANDEM_CUDART >= 13
#define WITH_DATA(name) name
#else
#define WITH_DATA(name) name##_v2
RT_API cudaError_t cudaGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                               size_t n) {
  RT_DRIVER(cuGraphRemoveDependencies(graph, from, to, n));
}
RT_API cudaError_t cudaGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *n) {
  RT_DRIVER(cuGraphGetEdges(graph, from, to, n));
}
RT_API cudaError_t cudaGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *n) {
  RT_DRIVER(cuGraphNodeGetDependentNodes(node, nodes, n));
}
#endif
RT_API cudaError_t WITH_DATA(cudaGraphRemoveDependencies)(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                                          const CUgraphEdgeData *data, size_t n) {
  RT_DRIVER(cuGraphRemoveDependencies_v2(graph, from, to, data, n));
}
RT_API cudaError_t WITH_DATA(cudaGraphGetEdges)(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                                                CUgraphEdgeData *data, size_t *n) {
  RT_DRIVER(cuGraphGetEdges_v2(graph, from, to, data, n));
}
RT_API cudaError_t WITH_DATA(cudaGraphNodeGetDependentNodes)(CUgraphNode node, CUgraphNode *nodes,
                                                             CUgraphEdgeData *data, size_t *n) {
  RT_DRIVER(cuGraphNodeGetDependentNodes_v2(node, nodes, data, n));
}

/* ---- copies ---- */

static struct cudaMemcpy3DParms line(void *to, const void *from, size_t bytes, int kind) {
  return (struct cudaMemcpy3DParms){
    .srcPtr = {.ptr = (void *)(uintptr_t)from, .pitch = bytes, .xsize = bytes, .ysize = 1},
    .dstPtr = {.ptr = to, .pitch = bytes, .xsize = bytes, .ysize = 1},
    .extent = {bytes, 1, 1},
    .kind = kind};
}

/* A place in a variable of a module. */
static cudaError_t place(const void *symbol, size_t bytes, size_t offset, void **at) {
  CUdeviceptr address;
  size_t size;
  RT_BEGIN();
  cudaError_t error = rt_variable(symbol, &address, &size);
  if (error) return error;
  if (offset > size || bytes > size - offset) return cudaErrorInvalidValue;
  *at = (void *)(uintptr_t)(address + offset);
  return cudaSuccess;
}

RT_API cudaError_t cudaGraphAddMemcpyNode1D(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                            void *to, const void *from, size_t bytes, int kind) {
  const struct cudaMemcpy3DParms p = line(to, from, bytes, kind);
  CUDA_MEMCPY3D c;
  RT_BEGIN();
  cudaError_t error = rt_copy3d(&p, &c);
  return error ? rt_fail(error) : rt_note(cuGraphAddMemcpyNode(node, graph, before, n, &c, NULL));
}
RT_API cudaError_t cudaGraphAddMemcpyNodeToSymbol(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                                  const void *symbol, const void *from, size_t bytes, size_t offset,
                                                  int kind) {
  void *at;
  cudaError_t error = place(symbol, bytes, offset, &at);
  return error ? rt_fail(error) : cudaGraphAddMemcpyNode1D(node, graph, before, n, at, from, bytes, kind);
}
RT_API cudaError_t cudaGraphAddMemcpyNodeFromSymbol(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                                                    size_t n, void *to, const void *symbol, size_t bytes, size_t offset,
                                                    int kind) {
  void *at;
  cudaError_t error = place(symbol, bytes, offset, &at);
  return error ? rt_fail(error) : cudaGraphAddMemcpyNode1D(node, graph, before, n, to, at, bytes, kind);
}

RT_API cudaError_t cudaGraphMemcpyNodeSetParams(CUgraphNode node, const struct cudaMemcpy3DParms *p) {
  CUDA_MEMCPY3D c;
  RT_BEGIN();
  cudaError_t error = rt_copy3d(p, &c);
  return error ? rt_fail(error) : rt_note(cuGraphMemcpyNodeSetParams(node, &c));
}
RT_API cudaError_t cudaGraphMemcpyNodeSetParams1D(CUgraphNode node, void *to, const void *from, size_t bytes,
                                                  int kind) {
  const struct cudaMemcpy3DParms p = line(to, from, bytes, kind);
  return cudaGraphMemcpyNodeSetParams(node, &p);
}
RT_API cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(CUgraphNode node, const void *symbol, const void *from,
                                                        size_t bytes, size_t offset, int kind) {
  void *at;
  cudaError_t error = place(symbol, bytes, offset, &at);
  return error ? rt_fail(error) : cudaGraphMemcpyNodeSetParams1D(node, at, from, bytes, kind);
}
RT_API cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(CUgraphNode node, void *to, const void *symbol, size_t bytes,
                                                          size_t offset, int kind) {
  void *at;
  cudaError_t error = place(symbol, bytes, offset, &at);
  return error ? rt_fail(error) : cudaGraphMemcpyNodeSetParams1D(node, to, at, bytes, kind);
}

RT_API cudaError_t cudaGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                    const struct cudaMemcpy3DParms *p) {
  CUDA_MEMCPY3D c;
  RT_BEGIN();
  cudaError_t error = rt_copy3d(p, &c);
  return error ? rt_fail(error) : rt_note(cuGraphExecMemcpyNodeSetParams(exec, node, &c, NULL));
}
RT_API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(CUgraphExec exec, CUgraphNode node, void *to, const void *from,
                                                      size_t bytes, int kind) {
  const struct cudaMemcpy3DParms p = line(to, from, bytes, kind);
  return cudaGraphExecMemcpyNodeSetParams(exec, node, &p);
}
RT_API cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(CUgraphExec exec, CUgraphNode node, const void *symbol,
                                                            const void *from, size_t bytes, size_t offset, int kind) {
  void *at;
  cudaError_t error = place(symbol, bytes, offset, &at);
  return error ? rt_fail(error) : cudaGraphExecMemcpyNodeSetParams1D(exec, node, at, from, bytes, kind);
}
RT_API cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(CUgraphExec exec, CUgraphNode node, void *to,
                                                              const void *symbol, size_t bytes, size_t offset,
                                                              int kind) {
  void *at;
  cudaError_t error = place(symbol, bytes, offset, &at);
  return error ? rt_fail(error) : cudaGraphExecMemcpyNodeSetParams1D(exec, node, to, at, bytes, kind);
}

/* ---- fills and host functions; the structure of the latter is the driver's ---- */

static CUDA_MEMSET_NODE_PARAMS fill_of(const struct cudaMemsetParams *p) {
  return (CUDA_MEMSET_NODE_PARAMS){rt_address(p->dst), p->pitch, p->value, p->elementSize, p->width, p->height};
}

RT_API cudaError_t cudaGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                          const struct cudaMemsetParams *p) {
  RT_BEGIN();
  if (!p) return rt_fail(cudaErrorInvalidValue);
  const CUDA_MEMSET_NODE_PARAMS told = fill_of(p);
  return rt_note(cuGraphAddMemsetNode(node, graph, before, n, &told, NULL));
}
RT_API cudaError_t cudaGraphMemsetNodeSetParams(CUgraphNode node, const struct cudaMemsetParams *p) {
  RT_BEGIN();
  if (!p) return rt_fail(cudaErrorInvalidValue);
  const CUDA_MEMSET_NODE_PARAMS told = fill_of(p);
  return rt_note(cuGraphMemsetNodeSetParams(node, &told));
}
RT_API cudaError_t cudaGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                    const struct cudaMemsetParams *p) {
  RT_BEGIN();
  if (!p) return rt_fail(cudaErrorInvalidValue);
  const CUDA_MEMSET_NODE_PARAMS told = fill_of(p);
  return rt_note(cuGraphExecMemsetNodeSetParams(exec, node, &told, NULL));
}
RT_API cudaError_t cudaGraphMemsetNodeGetParams(CUgraphNode node, struct cudaMemsetParams *p) {
  CUDA_MEMSET_NODE_PARAMS f;
  RT_BEGIN();
  CUresult result = p ? cuGraphMemsetNodeGetParams(node, &f) : CUDA_ERROR_INVALID_VALUE;
  if (!result)
    *p = (struct cudaMemsetParams){(void *)(uintptr_t)f.dst, f.pitch, f.value, f.elementSize, f.width, f.height};
  return rt_note(result);
}

RT_API cudaError_t cudaGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *p) {
  RT_DRIVER(cuGraphHostNodeGetParams(node, p));
}
RT_API cudaError_t cudaGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *p) {
  RT_DRIVER(cuGraphHostNodeSetParams(node, p));
}
RT_API cudaError_t cudaGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *p) {
  RT_DRIVER(cuGraphExecHostNodeSetParams(exec, node, p));
}
