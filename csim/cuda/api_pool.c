/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: memory pools and stream-ordered allocation. Streams are synchronous, so memory is freed at once; a pool counts its
 * allocations and caches none. */
#include "api.h"

#include <string.h>

static CUmemoryPool new_pool(struct cuda_driver *d) {
  CUmemoryPool p = cuda_object_new(d, CUDA_POOL, sizeof *p, NULL);
  if (p) p->reuse[0] = p->reuse[1] = p->reuse[2] = 1;
  return p;
}

static CUresult default_pool(struct cuda_driver *d) {
  if (!d->default_pool) d->default_pool = d->pool = new_pool(d);
  return d->default_pool ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult allocate(struct cuda_driver *d, CUmemoryPool pool, size_t bytes, CUdeviceptr *address) {
  CUresult result = cuda_allocate(d, CUDA_POOL_MEMORY, bytes, address);
  if (result) return result;
  cuda_allocation_at(d, *address)->pool = pool;
  pool->used += bytes;
  if (pool->used > pool->used_high) pool->used_high = pool->used;
  return CUDA_SUCCESS;
}

CUDA_API CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream) {
  CUDA_STREAM_CALL(stream);
  if (s && s->capture) return cuda_leave(cuda_capture_allocate(d, s, bytes, address));
  CUresult result = default_pool(d);
  return cuda_leave(result ? result : allocate(d, d->pool, bytes, address));
}

CUDA_API CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream) {
  CUDA_STREAM_CALL(stream);
  if (!cuda_object(d, CUDA_POOL, pool)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (s && s->capture) return cuda_leave(cuda_capture_allocate(d, s, bytes, address));
  return cuda_leave(allocate(d, pool, bytes, address));
}

CUDA_API CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  CUDA_STREAM_CALL(stream);
  if (s && s->capture) return cuda_leave(cuda_capture_free(d, s, address));
  return cuda_leave(address ? cuda_release(d, address) : CUDA_ERROR_INVALID_VALUE);
}

CUDA_API CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *p) {
  CUDA_CALL(false);
  if (!pool || !p || p->allocType != CU_MEM_ALLOCATION_TYPE_PINNED || p->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (p->location.id) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  if (p->handleTypes) return cuda_leave(cuda_not_supported("memory pools shared by processes are not simulated"));
  *pool = new_pool(d);
  return cuda_leave(*pool ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

/* Allocations from the pool stay valid until they are freed. */
CUDA_API CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  CUDA_CALL(false);
  if (!cuda_object(d, CUDA_POOL, pool) || pool == d->default_pool) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  for (struct cuda_allocation *a = d->allocations; a; a = a->next)
    if (a->pool == pool) a->pool = NULL;
  if (d->pool == pool) d->pool = d->default_pool;
  cuda_object_free(d, CUDA_POOL, pool);
  return cuda_leave(CUDA_SUCCESS);
}

#define POOL_CALL(pool) \
  CUDA_CALL(false);     \
  if (!cuda_object(d, CUDA_POOL, pool)) return cuda_leave(CUDA_ERROR_INVALID_VALUE)

CUDA_API CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep) {
  (void)keep;
  POOL_CALL(pool);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  POOL_CALL(pool);
  uint64_t number = 0;
  if (!value) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (attribute >= CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) memcpy(&number, value, sizeof number);
  switch (attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
      memcpy(&pool->reuse[attribute - 1], value, sizeof pool->reuse[0]);
      return cuda_leave(CUDA_SUCCESS);
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: pool->threshold = number; return cuda_leave(CUDA_SUCCESS);
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH: /* 0 resets it */
      if (number) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
      pool->used_high = pool->used;
      return cuda_leave(CUDA_SUCCESS);
    default: return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  }
}

CUDA_API CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  POOL_CALL(pool);
  uint64_t number = 0;
  if (!value) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  switch (attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
      memcpy(value, &pool->reuse[attribute - 1], sizeof pool->reuse[0]);
      return cuda_leave(CUDA_SUCCESS);
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: number = pool->threshold; break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT: number = pool->used; break;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH: number = pool->used_high; break;
    default: return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  }
  memcpy(value, &number, sizeof number);
  return cuda_leave(CUDA_SUCCESS);
}

static bool is_this_device(const CUmemLocation *l) { return l->type == CU_MEM_LOCATION_TYPE_DEVICE && l->id == 0; }

CUDA_API CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t n) {
  POOL_CALL(pool);
  if (n && !map) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  for (size_t i = 0; i < n; i++)
    if (!is_this_device(&map[i].location) || map[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
      return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location) {
  POOL_CALL(pool);
  if (!flags || !location) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *flags = is_this_device(location) ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
  return cuda_leave(CUDA_SUCCESS);
}

static CUresult give_pool(CUmemoryPool *pool, CUdevice device, bool current) {
  CUDA_CALL(false);
  if (!pool) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (device) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  CUresult result = default_pool(d);
  if (!result) *pool = current ? d->pool : d->default_pool;
  return cuda_leave(result);
}

CUDA_API CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  return give_pool(pool, device, false);
}

CUDA_API CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) { return give_pool(pool, device, true); }

CUDA_API CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  POOL_CALL(pool);
  if (device) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  CUresult result = default_pool(d);
  if (!result) d->pool = pool;
  return cuda_leave(result);
}
