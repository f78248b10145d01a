/* SPDX-License-Identifier: Apache-2.0 */
/* Runtime API: graphs and the capture of streams. */
#include "runtime.h"

struct cudaKernelNodeParams {
  void *func;
  dim3 gridDim, blockDim;
  unsigned int sharedMemBytes;
  void **kernelParams, **extra;
};

/* ---- graphs ---- */

RT_API cudaError_t cudaGraphCreate(CUgraph *graph, unsigned int flags) { RT_DRIVER(cuGraphCreate(graph, flags)); }
RT_API cudaError_t cudaGraphDestroy(CUgraph graph) { RT_DRIVER(cuGraphDestroy(graph)); }
RT_API cudaError_t cudaGraphClone(CUgraph *clone, CUgraph graph) { RT_DRIVER(cuGraphClone(clone, graph)); }
RT_API cudaError_t cudaGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *n) {
  RT_DRIVER(cuGraphGetNodes(graph, nodes, n));
}
RT_API cudaError_t cudaGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *n) {
  RT_DRIVER(cuGraphGetRootNodes(graph, nodes, n));
}
RT_API cudaError_t cudaGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type) {
  RT_DRIVER(cuGraphNodeGetType(node, type));
}

/* CUDA 13 gave the calls about dependencies the data of edges. */
#if TANDEM_CUDART >= 13
RT_API cudaError_t cudaGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                            const CUgraphEdgeData *data, size_t n) {
  RT_DRIVER(cuGraphAddDependencies_v2(graph, from, to, data, n));
}
RT_API cudaError_t cudaGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data,
                                                size_t *n) {
  RT_DRIVER(cuGraphNodeGetDependencies_v2(node, nodes, data, n));
}
RT_API cudaError_t cudaStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *before,
                                                       const CUgraphEdgeData *data, size_t n, unsigned int flags) {
  RT_DRIVER(cuStreamUpdateCaptureDependencies_v2(stream, before, data, n, flags));
}
RT_OWN(cudaStreamUpdateCaptureDependencies, _ptsz,
       (CUstream stream, CUgraphNode *before, const CUgraphEdgeData *data, size_t n, unsigned int flags),
       (stream, before, data, n, flags))
RT_API cudaError_t cudaStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
                                            CUgraph *graph, const CUgraphNode **before, const CUgraphEdgeData **data,
                                            size_t *n) {
  RT_DRIVER(cuStreamGetCaptureInfo_v3(stream, status, id, graph, before, data, n));
}
RT_OWN(cudaStreamGetCaptureInfo, _ptsz,
       (CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph, const CUgraphNode **before,
        const CUgraphEdgeData **data, size_t *n),
       (stream, status, id, graph, before, data, n))
#else
RT_API cudaError_t cudaGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t n) {
  RT_DRIVER(cuGraphAddDependencies(graph, from, to, n));
}
RT_API cudaError_t cudaGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                               const CUgraphEdgeData *data, size_t n) {
  RT_DRIVER(cuGraphAddDependencies_v2(graph, from, to, data, n));
}
RT_API cudaError_t cudaGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *n) {
  RT_DRIVER(cuGraphNodeGetDependencies(node, nodes, n));
}
RT_API cudaError_t cudaGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data,
                                                   size_t *n) {
  RT_DRIVER(cuGraphNodeGetDependencies_v2(node, nodes, data, n));
}
RT_API cudaError_t cudaStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *before, size_t n,
                                                       unsigned int flags) {
  RT_DRIVER(cuStreamUpdateCaptureDependencies_v2(stream, before, NULL, n, flags));
}
RT_API cudaError_t cudaStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *before,
                                                          const CUgraphEdgeData *data, size_t n, unsigned int flags) {
  RT_DRIVER(cuStreamUpdateCaptureDependencies_v2(stream, before, data, n, flags));
}
RT_OWN(cudaStreamUpdateCaptureDependencies, _ptsz, (CUstream stream, CUgraphNode *before, size_t n, unsigned int flags),
       (stream, before, n, flags))
RT_OWN(cudaStreamUpdateCaptureDependencies_v2, _ptsz,
       (CUstream stream, CUgraphNode *before, const CUgraphEdgeData *data, size_t n, unsigned int flags),
       (stream, before, data, n, flags))
RT_API cudaError_t cudaStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id) {
  RT_DRIVER(cuStreamGetCaptureInfo_v2(stream, status, id, NULL, NULL, NULL));
}
RT_API cudaError_t cudaStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
                                               CUgraph *graph, const CUgraphNode **before, size_t *n) {
  RT_DRIVER(cuStreamGetCaptureInfo_v2(stream, status, id, graph, before, n));
}
RT_OWN(cudaStreamGetCaptureInfo_v2, _ptsz,
       (CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph, const CUgraphNode **before,
        size_t *n),
       (stream, status, id, graph, before, n))
RT_API cudaError_t cudaStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
                                               CUgraph *graph, const CUgraphNode **before, const CUgraphEdgeData **data,
                                               size_t *n) {
  RT_DRIVER(cuStreamGetCaptureInfo_v3(stream, status, id, graph, before, data, n));
}
RT_OWN(cudaStreamGetCaptureInfo_v3, _ptsz,
       (CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph, const CUgraphNode **before,
        const CUgraphEdgeData **data, size_t *n),
       (stream, status, id, graph, before, data, n))
RT_OWN(cudaStreamGetCaptureInfo, _ptsz, (CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id),
       (stream, status, id))
#endif

/* ---- nodes ---- */

/* The driver's parameters of a kernel that the program names by its stub. */
static cudaError_t kernel_of(const struct cudaKernelNodeParams *p, CUDA_KERNEL_NODE_PARAMS *to) {
  if (!p) return cudaErrorInvalidValue;
  *to = (CUDA_KERNEL_NODE_PARAMS){.gridDimX = p->gridDim.x,
                                  .gridDimY = p->gridDim.y,
                                  .gridDimZ = p->gridDim.z,
                                  .blockDimX = p->blockDim.x,
                                  .blockDimY = p->blockDim.y,
                                  .blockDimZ = p->blockDim.z,
                                  .sharedMemBytes = p->sharedMemBytes,
                                  .kernelParams = p->kernelParams,
                                  .extra = p->extra};
  return rt_function(p->func, &to->func);
}

RT_API cudaError_t cudaGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                          const struct cudaKernelNodeParams *p) {
  CUDA_KERNEL_NODE_PARAMS told;
  RT_BEGIN();
  cudaError_t error = kernel_of(p, &told);
  return error ? rt_fail(error) : rt_note(cuGraphAddKernelNode(node, graph, before, n, &told));
}
RT_API cudaError_t cudaGraphKernelNodeSetParams(CUgraphNode node, const struct cudaKernelNodeParams *p) {
  CUDA_KERNEL_NODE_PARAMS told;
  RT_BEGIN();
  cudaError_t error = kernel_of(p, &told);
  return error ? rt_fail(error) : rt_note(cuGraphKernelNodeSetParams(node, &told));
}
RT_API cudaError_t cudaGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                    const struct cudaKernelNodeParams *p) {
  CUDA_KERNEL_NODE_PARAMS told;
  RT_BEGIN();
  cudaError_t error = kernel_of(p, &told);
  return error ? rt_fail(error) : rt_note(cuGraphExecKernelNodeSetParams(exec, node, &told));
}
/* The kernel comes back as the driver's handle, which every call of the runtime takes as well. */
RT_API cudaError_t cudaGraphKernelNodeGetParams(CUgraphNode node, struct cudaKernelNodeParams *p) {
  CUDA_KERNEL_NODE_PARAMS k;
  RT_BEGIN();
  CUresult result = p ? cuGraphKernelNodeGetParams(node, &k) : CUDA_ERROR_INVALID_VALUE;
  if (!result)
    *p = (struct cudaKernelNodeParams){k.func,
                                       {k.gridDimX, k.gridDimY, k.gridDimZ},
                                       {k.blockDimX, k.blockDimY, k.blockDimZ},
                                       k.sharedMemBytes,
                                       k.kernelParams,
                                       k.extra};
  return rt_note(result);
}

RT_API cudaError_t cudaGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                          const struct cudaMemcpy3DParms *p) {
  CUDA_MEMCPY3D c;
  RT_BEGIN();
  cudaError_t error = rt_copy3d(p, &c);
  return error ? rt_fail(error) : rt_note(cuGraphAddMemcpyNode(node, graph, before, n, &c, NULL));
}
RT_API cudaError_t cudaGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                        const CUDA_HOST_NODE_PARAMS *p) {
  RT_DRIVER(cuGraphAddHostNode(node, graph, before, n, p));
}
RT_API cudaError_t cudaGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n) {
  RT_DRIVER(cuGraphAddEmptyNode(node, graph, before, n));
}
RT_API cudaError_t cudaGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                              CUgraph child) {
  RT_DRIVER(cuGraphAddChildGraphNode(node, graph, before, n, child));
}

/* ---- memory: the structure of an allocation is the driver's ---- */

RT_API cudaError_t cudaGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                            CUDA_MEM_ALLOC_NODE_PARAMS *p) {
  RT_DRIVER(cuGraphAddMemAllocNode(node, graph, before, n, p));
}
RT_API cudaError_t cudaGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                           void *address) {
  RT_DRIVER(cuGraphAddMemFreeNode(node, graph, before, n, rt_address(address)));
}
RT_API cudaError_t cudaGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *p) {
  RT_DRIVER(cuGraphMemAllocNodeGetParams(node, p));
}
RT_API cudaError_t cudaGraphMemFreeNodeGetParams(CUgraphNode node, void *address) {
  RT_DRIVER(cuGraphMemFreeNodeGetParams(node, address));
}
RT_API cudaError_t cudaDeviceGetGraphMemAttribute(int device, int attribute, void *value) {
  RT_DRIVER(cuDeviceGetGraphMemAttribute(device, (CUgraphMem_attribute)attribute, value));
}
RT_API cudaError_t cudaDeviceSetGraphMemAttribute(int device, int attribute, void *value) {
  RT_DRIVER(cuDeviceSetGraphMemAttribute(device, (CUgraphMem_attribute)attribute, value));
}
RT_API cudaError_t cudaDeviceGraphMemTrim(int device) { RT_DRIVER(cuDeviceGraphMemTrim(device)); }

/* ---- executable graphs ---- */

RT_API cudaError_t cudaGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
  RT_DRIVER(cuGraphInstantiateWithFlags(exec, graph, flags));
}
RT_API cudaError_t cudaGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
RT_API cudaError_t cudaGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *p) {
  RT_DRIVER(cuGraphInstantiateWithParams(exec, graph, p));
}
RT_API cudaError_t cudaGraphExecGetFlags(CUgraphExec exec, cuuint64_t *flags) {
  RT_DRIVER(cuGraphExecGetFlags(exec, flags));
}
RT_API cudaError_t cudaGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info) {
  RT_DRIVER(cuGraphExecUpdate(exec, graph, info));
}
RT_API cudaError_t cudaGraphExecDestroy(CUgraphExec exec) { RT_DRIVER(cuGraphExecDestroy(exec)); }
RT_API cudaError_t cudaGraphUpload(CUgraphExec exec, CUstream stream) { RT_DRIVER(cuGraphUpload(exec, stream)); }
RT_API cudaError_t cudaGraphLaunch(CUgraphExec exec, CUstream stream) { RT_DRIVER(cuGraphLaunch(exec, stream)); }

/* ---- capture ---- */

RT_API cudaError_t cudaStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  RT_DRIVER(cuStreamBeginCapture(stream, mode));
}
RT_API cudaError_t cudaStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *before,
                                                 const CUgraphEdgeData *data, size_t n, CUstreamCaptureMode mode) {
  RT_DRIVER(cuStreamBeginCaptureToGraph(stream, graph, before, data, n, mode));
}
RT_API cudaError_t cudaStreamEndCapture(CUstream stream, CUgraph *graph) {
  RT_DRIVER(cuStreamEndCapture(stream, graph));
}

RT_OWN(cudaGraphInstantiateWithParams, _ptsz, (CUgraphExec * exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *p),
       (exec, graph, p))
RT_OWN(cudaGraphUpload, _ptsz, (CUgraphExec exec, CUstream stream), (exec, stream))
RT_OWN(cudaGraphLaunch, _ptsz, (CUgraphExec exec, CUstream stream), (exec, stream))
RT_OWN(cudaStreamBeginCapture, _ptsz, (CUstream stream, CUstreamCaptureMode mode), (stream, mode))
RT_OWN(cudaStreamEndCapture, _ptsz, (CUstream stream, CUgraph *graph), (stream, graph))
RT_OWN(cudaStreamBeginCaptureToGraph, _ptsz,
       (CUstream stream, CUgraph graph, const CUgraphNode *before, const CUgraphEdgeData *data, size_t n,
        CUstreamCaptureMode mode),
       (stream, graph, before, data, n, mode))
