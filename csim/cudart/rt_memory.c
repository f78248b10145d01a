/* SPDX-License-Identifier: Apache-2.0 */
/* Runtime API: memory of the device and of the host, pools, pointers. */
#include "runtime.h"

enum { PITCH_ELEMENT = 4 /* bytes, what the driver's pitched allocation wants to know */ };

static cudaError_t give(void **to, CUresult result, CUdeviceptr address) {
  if (!result) *to = (void *)(uintptr_t)address;
  return rt_note(result);
}

/* Begins an allocation: `at` is to be set. No bytes are no error: the pointer is NULL. */
#define ALLOCATION(at, bytes)                       \
  CUdeviceptr address = 0;                          \
  RT_BEGIN();                                       \
  if (!(at)) return rt_fail(cudaErrorInvalidValue); \
  if (!(bytes)) return give(at, CUDA_SUCCESS, 0)

RT_API cudaError_t cudaMalloc(void **at, size_t bytes) {
  ALLOCATION(at, bytes);
  CUresult result = cuMemAlloc(&address, bytes);
  return give(at, result, address);
}

RT_API cudaError_t cudaMallocManaged(void **at, size_t bytes, unsigned int flags) {
  ALLOCATION(at, bytes);
  CUresult result = cuMemAllocManaged(&address, bytes, flags);
  return give(at, result, address);
}

RT_API cudaError_t cudaMallocPitch(void **at, size_t *pitch, size_t width, size_t height) {
  ALLOCATION(at, width && height);
  CUresult result = cuMemAllocPitch(&address, pitch, width, height, PITCH_ELEMENT);
  return give(at, result, address);
}

RT_API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent) {
  size_t rows;
  if (!p || __builtin_mul_overflow(extent.height, extent.depth, &rows)) return rt_fail(cudaErrorInvalidValue);
  cudaError_t error = cudaMallocPitch(&p->ptr, &p->pitch, extent.width, rows);
  if (!error) p->xsize = extent.width, p->ysize = extent.height;
  return error;
}

RT_API cudaError_t cudaFree(void *at) { RT_DRIVER(cuMemFree((uintptr_t)at)); }

/* ---- of the host ---- */

RT_API cudaError_t cudaHostAlloc(void **at, size_t bytes, unsigned int flags) {
  RT_BEGIN();
  if (!at) return rt_fail(cudaErrorInvalidValue);
  if (bytes) return rt_note(cuMemHostAlloc(at, bytes, flags));
  *at = NULL;
  return cudaSuccess;
}
RT_API cudaError_t cudaMallocHost(void **at, size_t bytes) { return cudaHostAlloc(at, bytes, 0); }
RT_API cudaError_t cudaFreeHost(void *at) {
  RT_BEGIN();
  return at ? rt_note(cuMemFreeHost(at)) : cudaSuccess;
}
RT_API cudaError_t cudaHostRegister(void *at, size_t bytes, unsigned int flags) {
  RT_DRIVER(cuMemHostRegister(at, bytes, flags));
}
RT_API cudaError_t cudaHostUnregister(void *at) { RT_DRIVER(cuMemHostUnregister(at)); }
RT_API cudaError_t cudaHostGetFlags(unsigned int *flags, void *at) { RT_DRIVER(cuMemHostGetFlags(flags, at)); }
RT_API cudaError_t cudaHostGetDevicePointer(void **to, void *at, unsigned int flags) {
  CUdeviceptr address = 0;
  RT_BEGIN();
  if (!to) return rt_fail(cudaErrorInvalidValue);
  CUresult result = cuMemHostGetDevicePointer(&address, at, flags);
  return give(to, result, address);
}

/* ---- hints about managed memory ---- */

#if TANDEM_CUDART >= 13
RT_API cudaError_t cudaMemPrefetchAsync(const void *at, size_t bytes, CUmemLocation to, unsigned int flags,
                                        CUstream stream) {
  RT_DRIVER(cuMemPrefetchAsync_v2((uintptr_t)at, bytes, to, flags, stream));
}
RT_API cudaError_t cudaMemAdvise(const void *at, size_t bytes, int advice, CUmemLocation where) {
  RT_DRIVER(cuMemAdvise_v2((uintptr_t)at, bytes, (CUmem_advise)advice, where));
}
#else
RT_API cudaError_t cudaMemPrefetchAsync(const void *at, size_t bytes, int device, CUstream stream) {
  RT_DRIVER(cuMemPrefetchAsync((uintptr_t)at, bytes, device, stream));
}
RT_API cudaError_t cudaMemPrefetchAsync_v2(const void *at, size_t bytes, CUmemLocation to, unsigned int flags,
                                           CUstream stream) {
  RT_DRIVER(cuMemPrefetchAsync_v2((uintptr_t)at, bytes, to, flags, stream));
}
RT_API cudaError_t cudaMemAdvise(const void *at, size_t bytes, int advice, int device) {
  RT_DRIVER(cuMemAdvise((uintptr_t)at, bytes, (CUmem_advise)advice, device));
}
RT_API cudaError_t cudaMemAdvise_v2(const void *at, size_t bytes, int advice, CUmemLocation where) {
  RT_DRIVER(cuMemAdvise_v2((uintptr_t)at, bytes, (CUmem_advise)advice, where));
}
RT_ALIAS(cudaMemPrefetchAsync_v2, _ptsz);
#endif
RT_ALIAS(cudaMemPrefetchAsync, _ptsz);

/* ---- pools ---- */

RT_API cudaError_t cudaMallocAsync(void **at, size_t bytes, CUstream stream) {
  ALLOCATION(at, bytes);
  CUresult result = cuMemAllocAsync(&address, bytes, stream);
  return give(at, result, address);
}
RT_API cudaError_t cudaMallocFromPoolAsync(void **at, size_t bytes, CUmemoryPool pool, CUstream stream) {
  ALLOCATION(at, bytes);
  CUresult result = cuMemAllocFromPoolAsync(&address, bytes, pool, stream);
  return give(at, result, address);
}
RT_API cudaError_t cudaFreeAsync(void *at, CUstream stream) { RT_DRIVER(cuMemFreeAsync((uintptr_t)at, stream)); }
RT_API cudaError_t cudaMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *p) {
  RT_DEVICE(cuMemPoolCreate(pool, p));
}
RT_API cudaError_t cudaMemPoolDestroy(CUmemoryPool pool) { RT_DEVICE(cuMemPoolDestroy(pool)); }
RT_API cudaError_t cudaMemPoolTrimTo(CUmemoryPool pool, size_t keep) { RT_DEVICE(cuMemPoolTrimTo(pool, keep)); }
RT_API cudaError_t cudaMemPoolSetAttribute(CUmemoryPool pool, int attribute, void *value) {
  RT_DEVICE(cuMemPoolSetAttribute(pool, (CUmemPool_attribute)attribute, value));
}
RT_API cudaError_t cudaMemPoolGetAttribute(CUmemoryPool pool, int attribute, void *value) {
  RT_DEVICE(cuMemPoolGetAttribute(pool, (CUmemPool_attribute)attribute, value));
}
RT_API cudaError_t cudaMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t n) {
  RT_DEVICE(cuMemPoolSetAccess(pool, map, n));
}
RT_API cudaError_t cudaMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location) {
  RT_DEVICE(cuMemPoolGetAccess(flags, pool, location));
}
RT_API cudaError_t cudaDeviceGetDefaultMemPool(CUmemoryPool *pool, int device) {
  RT_DEVICE(cuDeviceGetDefaultMemPool(pool, device));
}
RT_API cudaError_t cudaDeviceGetMemPool(CUmemoryPool *pool, int device) { RT_DEVICE(cuDeviceGetMemPool(pool, device)); }
RT_API cudaError_t cudaDeviceSetMemPool(int device, CUmemoryPool pool) { RT_DEVICE(cuDeviceSetMemPool(device, pool)); }
RT_OWN(cudaMallocAsync, _ptsz, (void **at, size_t bytes, CUstream stream), (at, bytes, stream))
RT_OWN(cudaMallocFromPoolAsync, _ptsz, (void **at, size_t bytes, CUmemoryPool pool, CUstream stream),
       (at, bytes, pool, stream))
RT_OWN(cudaFreeAsync, _ptsz, (void *at, CUstream stream), (at, stream))

/* ---- pointers ---- */

RT_API cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  RT_DRIVER(cuMemGetInfo(free_bytes, total_bytes));
}

/* An address that nothing has allocated is no error: its type is "unregistered". */
RT_API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *at) {
  CUdeviceptr p = (uintptr_t)at;
  int type = 0;
  unsigned char managed = 0;
  RT_BEGIN();
  if (!a) return rt_fail(cudaErrorInvalidValue);
  *a = (struct cudaPointerAttributes){
    .type = cudaMemoryTypeUnregistered, .device = -2, .hostPointer = (void *)(uintptr_t)at};
  if (cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p)) return cudaSuccess;
  cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p);
  a->type = managed ? cudaMemoryTypeManaged : type == CU_MEMORYTYPE_HOST ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
  a->device = 0;
  a->hostPointer = NULL;
  cuPointerGetAttribute(&a->hostPointer, CU_POINTER_ATTRIBUTE_HOST_POINTER, p);
  cuPointerGetAttribute(&a->devicePointer, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, p);
  return cudaSuccess;
}
