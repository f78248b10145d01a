/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: addresses and memory apart (cuMemAddressReserve, cuMemCreate, cuMemMap). A reserved range is an allocation of the
 * device's memory, of which copies see the mapped parts only; a kernel's access to another part is not noticed. Memory that is
 * mapped nowhere keeps its bytes on the host. It can be mapped at one place at a time. */
#include "reserved.h"

#include <stdlib.h>
#include <string.h>

enum { GRANULARITY = 2 << 20 }; /* bytes; that of NVIDIA's GPUs */

static bool is_whole(uint64_t bytes) { return bytes && bytes % GRANULARITY == 0; }

static struct cuda_physical *physical_of(struct cuda_driver *d, CUmemGenericAllocationHandle handle) {
  struct cuda_physical *p = cuda_object(d, CUDA_PHYSICAL, (void *)(uintptr_t)handle);
  return p && p->handles ? p : NULL;
}

static struct cuda_range *range_of(struct cuda_driver *d, uint64_t address, size_t bytes) {
  for (struct cuda_object *o = d->objects[CUDA_RANGE]; o; o = o->next) {
    struct cuda_range *r = (struct cuda_range *)o;
    if (address - r->start < r->bytes && bytes <= r->bytes - (address - r->start)) return r;
  }
  return NULL;
}

static void free_if_unused(struct cuda_driver *d, struct cuda_physical *p) {
  if (p->handles || p->at) return;
  free(p->kept);
  cuda_object_free(d, CUDA_PHYSICAL, p);
}

/* ---- addresses ---- */

CUDA_API CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *p,
                                                CUmemAllocationGranularity_flags which) {
  CUDA_CALL(false);
  if (!bytes || !p || (unsigned)which > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *bytes = GRANULARITY;
  return cuda_leave(CUDA_SUCCESS);
}

/* The address that the program wishes for is a hint, and not followed. */
CUDA_API CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr wished,
                                      unsigned long long flags) {
  (void)wished;
  CUDA_CALL(false);
  bool aligned = !(alignment & (alignment - 1)) && alignment <= GRANULARITY;
  if (!address || !is_whole(bytes) || !aligned || flags) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr base;
  CUresult result = cuda_allocate(d, CUDA_RESERVED_MEMORY, bytes + GRANULARITY, &base);
  if (result) return cuda_leave(result);
  struct cuda_allocation *a = cuda_allocation_at(d, base);
  struct cuda_range *r = cuda_object_new(d, CUDA_RANGE, sizeof *r, NULL);
  if (!r) {
    cuda_allocation_free(d, a);
    return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  }
  a->context = NULL;
  r->start = (base + GRANULARITY - 1) / GRANULARITY * GRANULARITY;
  r->bytes = bytes;
  r->allocation = a;
  *address = r->start;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  CUDA_CALL(false);
  struct cuda_range *r = range_of(d, address, bytes);
  if (!r || r->start != address || r->bytes != bytes) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  for (uint64_t at = address; at < address + bytes; at += GRANULARITY)
    if (cuda_mapped_at(d, at)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  cuda_allocation_free(d, r->allocation);
  cuda_object_free(d, CUDA_RANGE, r);
  return cuda_leave(CUDA_SUCCESS);
}

/* ---- memory ---- */

CUDA_API CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *p,
                              unsigned long long flags) {
  CUDA_CALL(false);
  if (!handle || !p || !is_whole(bytes) || flags || p->type != CU_MEM_ALLOCATION_TYPE_PINNED)
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (p->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return cuda_leave(
      cuda_not_supported("cuMemCreate: memory of the host is not simulated; its location is the device"));
  if (p->location.id) return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  if (p->requestedHandleTypes) /* the attributes of the device say so too */
    return cuda_leave(cuda_not_supported("cuMemCreate: memory shared by processes is not simulated"));
  uint64_t used = bytes;
  for (struct cuda_object *o = d->objects[CUDA_PHYSICAL]; o; o = o->next) used += ((struct cuda_physical *)o)->bytes;
  if (used > d->sim->memory.limit - DEVICE_MEMORY_BASE) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  struct cuda_physical *new = cuda_object_new(d, CUDA_PHYSICAL, sizeof *new, NULL);
  if (!new) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  new->properties = *p;
  new->bytes = bytes;
  new->handles = 1;
  *handle = (uintptr_t) new;
  return cuda_leave(CUDA_SUCCESS);
}

/* What is mapped stays until it is unmapped. */
CUDA_API CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  CUDA_CALL(false);
  struct cuda_physical *p = physical_of(d, handle);
  if (!p) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  p->handles--;
  free_if_unused(d, p);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address) {
  CUDA_CALL(false);
  struct cuda_physical *p = cuda_mapped_at(d, (uintptr_t)address);
  if (!handle || !p) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  p->handles++;
  *handle = (uintptr_t)p;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                         CUmemGenericAllocationHandle handle) {
  CUDA_CALL(false);
  struct cuda_physical *p = physical_of(d, handle);
  if (!properties || !p) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *properties = p->properties;
  return cuda_leave(CUDA_SUCCESS);
}

/* ---- mappings ---- */

CUDA_API CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                           unsigned long long flags) {
  CUDA_CALL(false);
  struct cuda_physical *p = physical_of(d, handle);
  if (!p || offset || flags || bytes != p->bytes || address % GRANULARITY || !range_of(d, address, bytes))
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  for (uint64_t at = address; at < address + bytes; at += GRANULARITY)
    if (cuda_mapped_at(d, at)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (p->at)
    return cuda_leave(cuda_not_supported("cuMemMap: memory mapped at two addresses at the same time is not simulated"));
  void *host = device_memory_at(&d->sim->memory, address, bytes);
  if (p->kept) memcpy(host, p->kept, bytes);
  free(p->kept);
  p->kept = NULL;
  p->at = address;
  p->accessible = false;
  return cuda_leave(CUDA_SUCCESS);
}

static CUresult unmap(struct cuda_driver *d, struct cuda_physical *p) {
  uint8_t *host = device_memory_at(&d->sim->memory, p->at, p->bytes);
  if (p->handles) {
    p->kept = malloc(p->bytes);
    if (!p->kept) return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(p->kept, host, p->bytes);
  }
  memset(host, 0, p->bytes); /* what is mapped here next finds zeros */
  p->at = 0;
  free_if_unused(d, p);
  return CUDA_SUCCESS;
}

/* [address, address + bytes) must be whole mappings, one behind the other. */
static bool are_mappings(struct cuda_driver *d, uint64_t address, size_t bytes) {
  uint64_t at = address, end = address + bytes;
  while (at < end) {
    struct cuda_physical *p = cuda_mapped_at(d, at);
    if (!p || p->at != at) return false;
    at += p->bytes;
  }
  return bytes && at == end;
}

CUDA_API CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  CUDA_CALL(false);
  if (!are_mappings(d, address, bytes)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  for (uint64_t at = address; at < address + bytes;) {
    struct cuda_physical *p = cuda_mapped_at(d, at);
    at += p->bytes;
    CUresult result = unmap(d, p);
    if (result) return cuda_leave(result);
  }
  return cuda_leave(CUDA_SUCCESS);
}

/* assumption: PROT_READ permits writes too, since the simulated memory has no protection of pages. */
CUDA_API CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *access, size_t n) {
  CUDA_CALL(false);
  if (!access || !n || !are_mappings(d, address, bytes)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  for (size_t i = 0; i < n; i++)
    if (access[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE || access[i].location.id)
      return cuda_leave(CUDA_ERROR_INVALID_DEVICE);
  bool accessible = access[n - 1].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE;
  for (uint64_t at = address; at < address + bytes;) {
    struct cuda_physical *p = cuda_mapped_at(d, at);
    p->accessible = accessible;
    at += p->bytes;
  }
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address) {
  CUDA_CALL(false);
  struct cuda_physical *p = cuda_mapped_at(d, address);
  if (!flags || !location || !p) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  bool here = location->type == CU_MEM_LOCATION_TYPE_DEVICE && !location->id;
  *flags = here && p->accessible ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
  return cuda_leave(CUDA_SUCCESS);
}
