/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: memory that nodes of graphs allocate and free. Its address is fixed, and the device's memory taken, from the making of
 * the node on (assumption: a driver takes the memory when the graph is launched first); both are given back when no node refers to it
 * and what a launch has allocated is freed. */
#include "api_node.h"

#include <string.h>

static CUresult check_pool(const CUmemPoolProps *p) {
  if (p->allocType != CU_MEM_ALLOCATION_TYPE_PINNED || p->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return CUDA_ERROR_INVALID_VALUE;
  if (p->location.id) return CUDA_ERROR_INVALID_DEVICE;
  return p->handleTypes ? cuda_not_supported("graphs: memory shared by processes is not simulated") : CUDA_SUCCESS;
}

/* Memory of one node, which allocates it; NULL: *result says why. */
static struct cuda_graph_memory *new_memory(struct cuda_driver *d, size_t bytes, const CUmemPoolProps *p,
                                            CUresult *result) {
  CUdeviceptr address = 0;
  if ((*result = check_pool(p))) return NULL;
  struct cuda_graph_memory *m = cuda_object_new(d, CUDA_GRAPH_MEMORY, sizeof *m, NULL);
  *result = m ? cuda_allocate(d, CUDA_NODE_MEMORY, bytes, &address) : CUDA_ERROR_OUT_OF_MEMORY;
  struct cuda_allocation *a = address ? cuda_allocation_at(d, address) : NULL;
  if (!a) {
    if (m) cuda_object_free(d, CUDA_GRAPH_MEMORY, m);
    return NULL;
  }
  a->context = NULL;
  m->pool = *p;
  m->address = address;
  m->bytes = bytes;
  m->nodes = 1;
  return m;
}

/* ---- nodes ---- */

CUDA_API CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                         CUDA_MEM_ALLOC_NODE_PARAMS *p) {
  CUDA_CALL(false);
  CUresult result;
  if (!cuda_object(d, CUDA_GRAPH, graph) || !p) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  struct cuda_graph_memory *m = new_memory(d, p->bytesize, &p->poolProps, &result);
  if (!m) return cuda_leave(result);
  if ((result = cuda_graph_add(d, node, graph, CU_GRAPH_NODE_TYPE_MEM_ALLOC, before, n))) {
    cuda_graph_memory_drop(d, m);
    return cuda_leave(result);
  }
  (*node)->memory = m;
  p->dptr = m->address;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t n,
                                        CUdeviceptr address) {
  CUDA_CALL(false);
  struct cuda_graph_memory *m = cuda_graph_memory_at(d, address);
  if (!cuda_object(d, CUDA_GRAPH, graph) || !m) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUresult result = cuda_graph_add(d, node, graph, CU_GRAPH_NODE_TYPE_MEM_FREE, before, n);
  if (!result) (*node)->memory = m, m->nodes++;
  return cuda_leave(result);
}

CUDA_API CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *p) {
  CUDA_CALL(false);
  if (!p || !cuda_graph_of(d, node) || node->type != CU_GRAPH_NODE_TYPE_MEM_ALLOC)
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  const struct cuda_graph_memory *m = node->memory;
  *p = (CUDA_MEM_ALLOC_NODE_PARAMS){.poolProps = m->pool, .bytesize = m->bytes, .dptr = m->address};
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *address) {
  CUDA_CALL(false);
  if (!address || !cuda_graph_of(d, node) || node->type != CU_GRAPH_NODE_TYPE_MEM_FREE)
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *address = node->memory->address;
  return cuda_leave(CUDA_SUCCESS);
}

/* ---- capture ---- */

CUresult cuda_capture_allocate(struct cuda_driver *d, CUstream stream, size_t bytes, CUdeviceptr *address) {
  const CUmemPoolProps here = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                               .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
  CUresult result = CUDA_ERROR_INVALID_VALUE;
  struct cuda_graph_memory *m = address ? new_memory(d, bytes, &here, &result) : NULL;
  if (!m) return result;
  result = cuda_capture_memory(d, stream, CU_GRAPH_NODE_TYPE_MEM_ALLOC, m);
  if (result) cuda_graph_memory_drop(d, m);
  else *address = m->address;
  return result;
}

CUresult cuda_capture_free(struct cuda_driver *d, CUstream stream, CUdeviceptr address) {
  struct cuda_graph_memory *m = cuda_graph_memory_at(d, address);
  if (!m) return CUDA_ERROR_INVALID_VALUE; /* only what a graph allocates can be freed in one */
  CUresult result = cuda_capture_memory(d, stream, CU_GRAPH_NODE_TYPE_MEM_FREE, m);
  if (!result) m->nodes++;
  return result;
}

/* ---- the device's ---- */

/* No memory is kept behind: what is reserved is what is used. */
CUDA_API CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value) {
  CUDA_CALL(false);
  if (device) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  if (!value || (unsigned)attribute > CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  bool high = attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH || attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
  memcpy(value, high ? &d->graph_used_high : &d->graph_used, sizeof d->graph_used);
  return cuda_leave(CUDA_SUCCESS);
}

/* A high mark can be reset by 0, and nothing else can be set. */
CUDA_API CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value) {
  CUDA_CALL(false);
  uint64_t number;
  if (device) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  bool high = attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH || attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
  if (!value || !high) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  memcpy(&number, value, sizeof number);
  if (number) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  d->graph_used_high = d->graph_used;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuDeviceGraphMemTrim(CUdevice device) {
  CUDA_CALL(false);
  return cuda_leave(device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS);
}
