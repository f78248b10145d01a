/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: attributes of pointers. */
#include "api.h"

#include <string.h>

/* The allocation, registered memory or module variable that contains an address. */
struct known {
  const struct cuda_allocation *a; /* NULL: of a module, or an array */
  uint64_t base, bytes;
  bool host; /* the address is the host's own */
};

static bool find(struct cuda_driver *d, CUdeviceptr p, struct known *k) {
  *k = (struct known){.a = cuda_allocation_at(d, p)};
  if (!k->a) {
    k->bytes = device_memory_find(&d->sim->memory, p, &k->base);
    return k->bytes != 0;
  }
  k->host = k->a->host && p - (uintptr_t)k->a->host < k->a->bytes;
  k->base = k->host ? (uintptr_t)k->a->host : k->a->start;
  k->bytes = k->a->bytes;
  return true;
}

static CUresult put(void *to, const void *value, size_t bytes) {
  memcpy(to, value, bytes);
  return CUDA_SUCCESS;
}
static CUresult put_int(void *to, int value) { return put(to, &value, sizeof value); }
static CUresult put_bool(void *to, bool value) { return put(to, &(unsigned char){value}, 1); }
static CUresult put_u64(void *to, uint64_t value) { return put(to, &value, sizeof value); }

static CUresult host_pointer(const struct known *k, CUdeviceptr p, void *to) {
  const struct cuda_allocation *a = k->a;
  bool host = a && a->host, managed = a && a->kind == CUDA_MANAGED_MEMORY;
  if (!host && !managed) return CUDA_ERROR_INVALID_VALUE;
  return put_u64(to, host ? (uintptr_t)a->host + (p - k->base) : p);
}

static CUresult device_pointer(const struct known *k, CUdeviceptr p, void *to) {
  const struct cuda_allocation *a = k->a;
  if (!k->host || !a) return put_u64(to, p);
  if (!a->start) return CUDA_ERROR_INVALID_VALUE; /* cuMemHostGetDevicePointer gives it one */
  return put_u64(to, a->start + (p - k->base));
}

static CUresult answer(const struct known *k, CUpointer_attribute attribute, CUdeviceptr p, void *to) {
  const struct cuda_allocation *a = k->a;
  CUcontext context = a ? a->context : NULL;
  CUmemoryPool pool = a ? a->pool : NULL;
  bool host = a && a->host;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: return put(to, &context, sizeof context);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: return put_int(to, host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: return device_pointer(k, p, to);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER: return host_pointer(k, p, to);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: return put_bool(to, false);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: return put_u64(to, a ? a->id : k->base);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: return put_bool(to, a && a->kind == CUDA_MANAGED_MEMORY);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return put_int(to, 0);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: return put_u64(to, k->base);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE: return put_u64(to, k->bytes);
    case CU_POINTER_ATTRIBUTE_MAPPED: return put_bool(to, true);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: return put_u64(to, CU_MEM_HANDLE_TYPE_NONE);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: return put_int(to, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: return put(to, &pool, sizeof pool);
    default: return CUDA_ERROR_INVALID_VALUE;
  }
}

CUDA_API CUresult cuPointerGetAttribute(void *to, CUpointer_attribute attribute, CUdeviceptr p) {
  CUDA_CALL(true);
  struct known k;
  if (!to || !find(d, p, &k)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  return cuda_leave(answer(&k, attribute, p, to));
}

/* Size of an attribute, which is cleared for an unknown pointer. */
static size_t answer_bytes(CUpointer_attribute attribute) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: return 4;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
    case CU_POINTER_ATTRIBUTE_MAPPED: return 1;
    default: return 8;
  }
}

/* Succeeds for any pointer, unlike cuPointerGetAttribute: attributes that do not apply read 0 (the device: CU_DEVICE_INVALID). */
CUDA_API CUresult cuPointerGetAttributes(unsigned int n, CUpointer_attribute *attributes, void **to, CUdeviceptr p) {
  CUDA_CALL(true);
  struct known k;
  if (!n || !attributes || !to) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  bool known = find(d, p, &k);
  for (unsigned int i = 0; i < n; i++) {
    if (attributes[i] < CU_POINTER_ATTRIBUTE_CONTEXT || attributes[i] > CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE)
      return cuda_leave(CUDA_ERROR_INVALID_VALUE);
    if (known && !answer(&k, attributes[i], p, to[i])) continue;
    memset(to[i], 0, answer_bytes(attributes[i]));
    if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) put_int(to[i], CU_DEVICE_INVALID);
  }
  return cuda_leave(CUDA_SUCCESS);
}

/* All copies are synchronous anyway. */
CUDA_API CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr p) {
  CUDA_CALL(true);
  struct known k;
  bool good = value && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS && find(d, p, &k);
  return cuda_leave(good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}
