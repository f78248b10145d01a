/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: device memory, and the list of everything that the program has allocated or registered. */
#include "api.h"
#include "reserved.h"

#include <stdlib.h>
#include <string.h>

void *cuda_device_range(struct cuda_driver *d, CUdeviceptr address, size_t bytes) {
  uint64_t base, size = device_memory_find(&d->sim->memory, address, &base);
  if (!size || bytes > size - (address - base) || !cuda_is_accessible(d, address, bytes)) return NULL;
  return device_memory_at(&d->sim->memory, address, bytes);
}

void *cuda_any_range(struct cuda_driver *d, uint64_t address, size_t bytes) {
  const struct device_memory *m = &d->sim->memory;
  bool of_device = address >= DEVICE_MEMORY_BASE && address < m->limit;
  void *p = of_device ? cuda_device_range(d, address, bytes) : NULL;
  if (p || (of_device && (uintptr_t)m->bytes == DEVICE_MEMORY_BASE)) return p;
  return (void *)(uintptr_t)address; /* a host address */
}

struct cuda_allocation *cuda_allocation_new(struct cuda_driver *d, enum cuda_memory_kind kind) {
  struct cuda_allocation *a = calloc(1, sizeof *a);
  if (!a) return NULL;
  *a = (struct cuda_allocation){.next = d->allocations, .kind = kind, .context = cuda_current(), .id = ++d->ids};
  d->allocations = a;
  return a;
}

struct cuda_allocation *cuda_allocation_at(const struct cuda_driver *d, uint64_t address) {
  for (struct cuda_allocation *a = d->allocations; a; a = a->next)
    if ((a->start && address - a->start < a->bytes) || (a->host && address - (uintptr_t)a->host < a->bytes)) return a;
  return NULL;
}

void cuda_allocation_free(struct cuda_driver *d, struct cuda_allocation *allocation) {
  for (struct cuda_allocation **link = &d->allocations, *a; (a = *link); link = &a->next) {
    if (a != allocation) continue;
    *link = a->next;
    if (a->start) device_memory_free(&d->sim->memory, a->start, NULL);
    if (a->kind == CUDA_HOST_MEMORY && (uintptr_t)a->host != a->start) free(a->host);
    free(a);
    return;
  }
}

void cuda_memory_clear(struct cuda_driver *d, CUcontext context) {
  for (struct cuda_allocation *a = d->allocations, *next; a; a = next) {
    next = a->next;
    if (!context || a->context == context) cuda_allocation_free(d, a);
  }
}

static CUresult note(struct cuda_driver *d, enum cuda_memory_kind kind, uint64_t at, size_t bytes,
                     CUdeviceptr *address) {
  struct cuda_allocation *a = at ? cuda_allocation_new(d, kind) : NULL;
  if (!a) {
    if (at) device_memory_free(&d->sim->memory, at, NULL);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  a->start = at;
  a->bytes = bytes;
  *address = at;
  return CUDA_SUCCESS;
}

CUresult cuda_allocate(struct cuda_driver *d, enum cuda_memory_kind kind, size_t bytes, CUdeviceptr *address) {
  if (!address || !bytes) return CUDA_ERROR_INVALID_VALUE;
  return note(d, kind, device_memory_alloc(&d->sim->memory, bytes), bytes, address);
}

CUresult cuda_allocate_labelled(struct cuda_driver *d, size_t bytes, uint32_t label, CUdeviceptr *address) {
  return note(d, CUDA_DEVICE_MEMORY, device_memory_alloc_labelled(&d->sim->memory, bytes, label), bytes, address);
}

/* ---- memory of graphs: what holds it, and its end ---- */

struct cuda_graph_memory *cuda_graph_memory_at(const struct cuda_driver *d, CUdeviceptr address) {
  for (struct cuda_object *o = d->objects[CUDA_GRAPH_MEMORY]; o; o = o->next)
    if (((struct cuda_graph_memory *)o)->address == address) return (struct cuda_graph_memory *)o;
  return NULL;
}

static void free_if_unused(struct cuda_driver *d, struct cuda_graph_memory *m) {
  if (m->nodes || m->live) return;
  struct cuda_allocation *a = cuda_allocation_at(d, m->address);
  if (a) cuda_allocation_free(d, a);
  cuda_object_free(d, CUDA_GRAPH_MEMORY, m);
}

void cuda_graph_memory_drop(struct cuda_driver *d, struct cuda_graph_memory *m) {
  m->nodes--;
  free_if_unused(d, m);
}

CUresult cuda_graph_memory_give(struct cuda_driver *d, CUdeviceptr address) {
  struct cuda_graph_memory *m = cuda_graph_memory_at(d, address);
  if (!m || !m->live) return CUDA_ERROR_INVALID_VALUE;
  m->live = false;
  d->graph_used -= m->bytes;
  free_if_unused(d, m);
  return CUDA_SUCCESS;
}

/* Frees an allocation by its first address; refuses variables of modules, arrays and mapped host memory. */
CUresult cuda_release(struct cuda_driver *d, CUdeviceptr address) {
  struct cuda_allocation *a = cuda_allocation_at(d, address);
  if (a && a->kind == CUDA_NODE_MEMORY) return cuda_graph_memory_give(d, address);
  if (!a || a->start != address || a->host || a->kind == CUDA_RESERVED_MEMORY) return CUDA_ERROR_INVALID_VALUE;
  if (a->pool) a->pool->used -= a->bytes;
  cuda_allocation_free(d, a);
  return CUDA_SUCCESS;
}

CUDA_API CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes) {
  CUDA_UNSAFE_CALL();
  return cuda_leave(cuda_allocate(d, CUDA_DEVICE_MEMORY, bytes, address));
}

CUDA_API CUresult cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
                                  unsigned int element) {
  CUDA_UNSAFE_CALL();
  size_t row = (width + CUDA_GRAIN - 1) & ~(size_t)(CUDA_GRAIN - 1), all;
  if (!pitch || !width || !height || row < width || (element != 4 && element != 8 && element != 16))
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (__builtin_mul_overflow(row, height, &all)) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  CUresult result = cuda_allocate(d, CUDA_DEVICE_MEMORY, all, address);
  if (!result) *pitch = row;
  return cuda_leave(result);
}

/* Managed memory is device memory, which the host sees at the same addresses. */
CUDA_API CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned int flags) {
  CUDA_UNSAFE_CALL();
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if ((uintptr_t)d->sim->memory.bytes != DEVICE_MEMORY_BASE)
    return cuda_leave(cuda_not_supported("managed memory: the device's addresses are in use on the host"));
  return cuda_leave(cuda_allocate(d, CUDA_MANAGED_MEMORY, bytes, address));
}

CUDA_API CUresult cuMemFree(CUdeviceptr address) {
  CUDA_UNSAFE_CALL();
  return cuda_leave(address ? cuda_release(d, address) : CUDA_SUCCESS);
}

CUDA_API CUresult cuMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  CUDA_CALL(true);
  size_t total = (size_t)d->sim->session.config.memory_mib << 20;
  if (!free_bytes && !total_bytes) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (total_bytes) *total_bytes = total;
  if (free_bytes) *free_bytes = total - d->sim->memory.allocated_bytes;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr address) {
  CUDA_CALL(true);
  uint64_t start = 0, size = device_memory_find(&d->sim->memory, address, &start);
  if (!size) return cuda_leave(CUDA_ERROR_NOT_FOUND);
  if (base) *base = start;
  if (bytes) *bytes = (size_t)size;
  return cuda_leave(CUDA_SUCCESS);
}

/* Hints about managed memory have no effect: it has only one place. */
static CUresult hint(CUdeviceptr address, size_t bytes) {
  CUDA_CALL(true);
  const struct cuda_allocation *a = cuda_allocation_at(d, address);
  bool good = a && a->kind == CUDA_MANAGED_MEMORY && bytes && bytes <= a->bytes - (address - a->start);
  return cuda_leave(good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

CUDA_API CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream) {
  (void)stream;
  return device && device != CU_DEVICE_CPU ? CUDA_ERROR_INVALID_DEVICE : hint(address, bytes);
}

CUDA_API CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, CUmemLocation to, unsigned int flags,
                                        CUstream stream) {
  (void)stream;
  if (flags || (unsigned)to.type > CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT) return CUDA_ERROR_INVALID_VALUE;
  return to.type == CU_MEM_LOCATION_TYPE_DEVICE && to.id ? CUDA_ERROR_INVALID_DEVICE : hint(address, bytes);
}

static bool is_advice(CUmem_advise advice) {
  return advice >= CU_MEM_ADVISE_SET_READ_MOSTLY && advice <= CU_MEM_ADVISE_UNSET_ACCESSED_BY;
}

CUDA_API CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device) {
  if (device && device != CU_DEVICE_CPU) return CUDA_ERROR_INVALID_DEVICE;
  return is_advice(advice) ? hint(address, bytes) : CUDA_ERROR_INVALID_VALUE;
}

CUDA_API CUresult cuMemAdvise_v2(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUmemLocation to) {
  if (to.type == CU_MEM_LOCATION_TYPE_DEVICE && to.id) return CUDA_ERROR_INVALID_DEVICE;
  return is_advice(advice) ? hint(address, bytes) : CUDA_ERROR_INVALID_VALUE;
}

CUDA_ALIAS(cuMemAlloc_v2, "cuMemAlloc");
CUDA_ALIAS(cuMemAllocPitch_v2, "cuMemAllocPitch");
CUDA_ALIAS(cuMemFree_v2, "cuMemFree");
CUDA_ALIAS(cuMemGetInfo_v2, "cuMemGetInfo");
CUDA_ALIAS(cuMemGetAddressRange_v2, "cuMemGetAddressRange");
