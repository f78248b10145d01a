/* SPDX-License-Identifier: Apache-2.0 */
/* Runtime API: nodes of graphs made by one call, those with conditions among them. */
#include "runtime.h"

#include <stddef.h>

/* Kernels, copies and fills have structures of their own; those of the others are the driver's, up to a context behind them. */
struct cudaGraphNodeParams {
  CUgraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    struct {
      void *func;
      dim3 gridDim, blockDim;
      unsigned int sharedMemBytes;
      void **kernelParams, **extra;
    } kernel;
    struct {
      int flags, reserved[3];
      struct cudaMemcpy3DParms copyParams;
    } memcpy;
    struct cudaMemsetParams memset;
  };
  long long reserved2;
};
_Static_assert(sizeof(struct cudaGraphNodeParams) == sizeof(CUgraphNodeParams),
               "both runtimes pass the same structure");

static cudaError_t kernel_of(const struct cudaGraphNodeParams *p, CUDA_KERNEL_NODE_PARAMS *to) {
  *to = (CUDA_KERNEL_NODE_PARAMS){.gridDimX = p->kernel.gridDim.x,
                                  .gridDimY = p->kernel.gridDim.y,
                                  .gridDimZ = p->kernel.gridDim.z,
                                  .blockDimX = p->kernel.blockDim.x,
                                  .blockDimY = p->kernel.blockDim.y,
                                  .blockDimZ = p->kernel.blockDim.z,
                                  .sharedMemBytes = p->kernel.sharedMemBytes,
                                  .kernelParams = p->kernel.kernelParams,
                                  .extra = p->kernel.extra};
  return rt_function(p->kernel.func, &to->func);
}

static cudaError_t told(const struct cudaGraphNodeParams *p, CUgraphNodeParams *to) {
  *to = (CUgraphNodeParams){.type = p->type};
  for (size_t i = 0; i < sizeof to->reserved1 / sizeof *to->reserved1; i++) to->reserved1[i] = p->reserved1[i];
  switch (p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return kernel_of(p, &to->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      to->memcpy.copyCtx = NULL;
      return rt_copy3d(&p->memcpy.copyParams, &to->memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_MEMSET: to->memset.ctx = NULL; return cudaSuccess;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL: to->conditional.ctx = NULL; return cudaSuccess;
    default: return cudaSuccess;
  }
}

/* What the call says in return stands where the program expects it: the address of an allocation, the graphs of a condition. */
static cudaError_t add(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, const CUgraphEdgeData *data,
                       size_t n, struct cudaGraphNodeParams *p) {
  CUgraphNodeParams q;
  RT_BEGIN();
  if (!p) return rt_fail(cudaErrorInvalidValue);
  cudaError_t error = told(p, &q);
  if (error) return rt_fail(error);
  CUresult result = cuGraphAddNode_v2(node, graph, before, data, n, &q);
  bool tells = p->type == CU_GRAPH_NODE_TYPE_CONDITIONAL || p->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  for (size_t i = 0; !result && tells && i < sizeof q.reserved1 / sizeof *q.reserved1; i++)
    p->reserved1[i] = q.reserved1[i];
  return rt_note(result);
}

#if TANDEM_CUDART >= 13
RT_API cudaError_t cudaGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                                    const CUgraphEdgeData *data, size_t n, struct cudaGraphNodeParams *p) {
  return add(node, graph, before, data, n, p);
}
#else
RT_API cudaError_t cudaGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                    struct cudaGraphNodeParams *p) {
  return add(node, graph, before, NULL, n, p);
}
RT_API cudaError_t cudaGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                                       const CUgraphEdgeData *data, size_t n, struct cudaGraphNodeParams *p) {
  return add(node, graph, before, data, n, p);
}
#endif

RT_API cudaError_t cudaGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph,
                                                    unsigned int initial, unsigned int flags) {
  RT_DRIVER(cuGraphConditionalHandleCreate(handle, graph, NULL, initial, flags));
}
