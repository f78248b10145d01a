/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: pinned and registered host memory. Where the host sees device memory at the device's addresses, pinned memory is a part
 * of it, and kernels use the host's pointers, too. Of other memory kernels access a shadow in device memory, allocated when the program
 * asks for the device address, and copied before and after each launch; no difference is visible, since launches run to their
 * end. assumption: the accesses take the time of device memory, not that of a bus to the host. */
#include "api.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct cuda_allocation *at_host(const struct cuda_driver *d, const void *p) {
  struct cuda_allocation *a = cuda_allocation_at(d, (uintptr_t)p);
  return a && a->host && (uintptr_t)p - (uintptr_t)a->host < a->bytes ? a : NULL;
}

static CUresult allocate(void **at, size_t bytes, unsigned int flags) {
  CUDA_UNSAFE_CALL();
  if (!at || !bytes || flags > (CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED))
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  struct cuda_allocation *a = cuda_allocation_new(d, CUDA_HOST_MEMORY);
  if (!a) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  bool same = (uintptr_t)d->sim->memory.bytes == DEVICE_MEMORY_BASE;
  void *p = NULL;
  if (same) a->start = device_memory_alloc(&d->sim->memory, bytes);
  if (a->start) p = (void *)(uintptr_t)a->start;
  else if (posix_memalign(&p, (size_t)sysconf(_SC_PAGESIZE), bytes)) {
    cuda_allocation_free(d, a);
    return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  }
  a->host = p;
  a->bytes = bytes;
  a->flags = flags;
  *at = p;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuMemAllocHost(void **at, size_t bytes) { return allocate(at, bytes, 0); }
CUDA_API CUresult cuMemHostAlloc(void **at, size_t bytes, unsigned int flags) { return allocate(at, bytes, flags); }

CUDA_API CUresult cuMemFreeHost(void *at) {
  CUDA_UNSAFE_CALL();
  struct cuda_allocation *a = at_host(d, at);
  if (!a || a->host != at || a->kind != CUDA_HOST_MEMORY) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  cuda_allocation_free(d, a);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuMemHostRegister(void *at, size_t bytes, unsigned int flags) {
  CUDA_UNSAFE_CALL();
  const unsigned int known = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_IOMEMORY |
                             CU_MEMHOSTREGISTER_READ_ONLY;
  if (!at || !bytes || flags & ~known || (uintptr_t)at + bytes < (uintptr_t)at)
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (flags & CU_MEMHOSTREGISTER_IOMEMORY) return cuda_leave(cuda_not_supported("I/O memory cannot be registered"));
  for (const struct cuda_allocation *a = d->allocations; a; a = a->next)
    if (a->host && (uintptr_t)at < (uintptr_t)a->host + a->bytes && (uintptr_t)a->host < (uintptr_t)at + bytes)
      return cuda_leave(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  struct cuda_allocation *a = cuda_allocation_new(d, CUDA_REGISTERED);
  if (!a) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  a->host = at;
  a->bytes = bytes;
  a->flags = flags;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuMemHostUnregister(void *at) {
  CUDA_UNSAFE_CALL();
  struct cuda_allocation *a = at_host(d, at);
  if (!at) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!a || a->host != at || a->kind != CUDA_REGISTERED) return cuda_leave(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  cuda_allocation_free(d, a);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuMemHostGetFlags(unsigned int *flags, void *at) {
  CUDA_CALL(true);
  const struct cuda_allocation *a = at_host(d, at);
  if (!flags || !a) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *flags = a->flags | CU_MEMHOSTALLOC_DEVICEMAP; /* with one address space all of it is mapped */
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuMemHostGetDevicePointer(CUdeviceptr *address, void *at, unsigned int flags) {
  CUDA_CALL(true);
  struct cuda_allocation *a = at_host(d, at);
  if (!address || !a || flags) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!a->start) a->start = device_memory_alloc(&d->sim->memory, a->bytes);
  if (!a->start) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  *address = a->start + ((uintptr_t)at - (uintptr_t)a->host);
  return cuda_leave(CUDA_SUCCESS);
}

static bool is_shadowed(const struct cuda_allocation *a) {
  return a->host && a->start && (uintptr_t)a->host != a->start;
}

void cuda_host_to_device(struct cuda_driver *d) {
  for (const struct cuda_allocation *a = d->allocations; a; a = a->next)
    if (is_shadowed(a)) memcpy(device_memory_at(&d->sim->memory, a->start, a->bytes), a->host, a->bytes);
}

void cuda_device_to_host(struct cuda_driver *d) {
  for (const struct cuda_allocation *a = d->allocations; a; a = a->next)
    if (is_shadowed(a) && !(a->kind == CUDA_REGISTERED && a->flags & CU_MEMHOSTREGISTER_READ_ONLY))
      memcpy(a->host, device_memory_at(&d->sim->memory, a->start, a->bytes), a->bytes);
}

CUDA_ALIAS(cuMemAllocHost_v2, "cuMemAllocHost");
CUDA_ALIAS(cuMemHostRegister_v2, "cuMemHostRegister");
CUDA_ALIAS(cuMemHostGetDevicePointer_v2, "cuMemHostGetDevicePointer");
