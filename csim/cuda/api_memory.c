/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: memory, streams, events. Streams are in order and synchronous; events carry simulated time. */
#include "api.h"

#include <stdlib.h>
#include <string.h>

void *cuda_device_range(struct cuda_driver *d, CUdeviceptr address, size_t bytes) {
  uint64_t base, size = device_memory_find(&d->sim->memory, address, &base);
  if (!size || bytes > size - (address - base)) return NULL;
  return device_memory_at(&d->sim->memory, address, bytes);
}

CUDA_API CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes) {
  CUDA_CALL(true);
  if (!address || !bytes) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *address = device_memory_alloc(&d->sim->memory, bytes);
  return cuda_leave(*address ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

CUDA_API CUresult cuMemFree(CUdeviceptr address) {
  CUDA_CALL(true);
  if (!address) return cuda_leave(CUDA_SUCCESS);
  return cuda_leave(device_memory_free(&d->sim->memory, address, NULL) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

CUDA_API CUresult cuMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  CUDA_CALL(true);
  if (!free_bytes || !total_bytes) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *total_bytes = (size_t)d->sim->session.machine.memory_mib << 20;
  *free_bytes = *total_bytes - d->sim->memory.allocated_bytes;
  return cuda_leave(CUDA_SUCCESS);
}

static CUresult copy(void *to, const void *from, size_t bytes) {
  if (!bytes) return CUDA_SUCCESS;
  if (!to || !from) return CUDA_ERROR_INVALID_VALUE;
  memmove(to, from, bytes);
  return CUDA_SUCCESS;
}

CUDA_API CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
  CUDA_CALL(true);
  return cuda_leave(copy(cuda_device_range(d, to, bytes), from, bytes));
}

CUDA_API CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
  CUDA_CALL(true);
  return cuda_leave(copy(to, cuda_device_range(d, from, bytes), bytes));
}

CUDA_API CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  CUDA_CALL(true);
  return cuda_leave(copy(cuda_device_range(d, to, bytes), cuda_device_range(d, from, bytes), bytes));
}

CUDA_API CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  (void)stream;
  return cuMemcpyHtoD(to, from, bytes);
}

CUDA_API CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  (void)stream;
  return cuMemcpyDtoH(to, from, bytes);
}

CUDA_API CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  (void)stream;
  return cuMemcpyDtoD(to, from, bytes);
}

CUDA_API CUresult cuMemAllocHost(void **at, size_t bytes) {
  CUDA_CALL(true);
  if (!at || !bytes) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *at = malloc(bytes);
  return cuda_leave(*at ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

CUDA_API CUresult cuMemFreeHost(void *at) {
  CUDA_CALL(true);
  if (!at) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  free(at);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t n) {
  CUDA_CALL(true);
  void *at = n ? cuda_device_range(d, to, n) : NULL;
  if (at) memset(at, value, n);
  return cuda_leave(at || !n ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

CUDA_API CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t n) {
  CUDA_CALL(true);
  uint32_t *at = n && to % 4 == 0 && n < SIZE_MAX / 4 ? cuda_device_range(d, to, n * 4) : NULL;
  for (size_t i = 0; at && i < n; i++) at[i] = value;
  return cuda_leave(at || !n ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

CUDA_API CUresult cuStreamCreate(CUstream *stream, unsigned int flags) {
  CUDA_CALL(true);
  if (!stream || flags > CU_STREAM_NON_BLOCKING) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *stream = (CUstream)(void *)&d->context; /* any non-null handle: every stream is the one in-order queue */
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuStreamDestroy(CUstream stream) {
  CUDA_CALL(true);
  if (!stream) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuStreamSynchronize(CUstream stream) {
  (void)stream;
  return cuCtxSynchronize();
}

CUDA_API CUresult cuStreamQuery(CUstream stream) {
  (void)stream;
  return cuCtxSynchronize();
}

CUDA_API CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  (void)stream;
  (void)flags;
  return cuEventSynchronize(event);
}

CUDA_API CUresult cuEventCreate(CUevent *event, unsigned int flags) {
  (void)flags;
  CUDA_CALL(true);
  if (!event) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *event = calloc(1, sizeof **event);
  return cuda_leave(*event ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

CUDA_API CUresult cuEventDestroy(CUevent event) {
  CUDA_CALL(true);
  if (!event) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  free(event);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuEventRecord(CUevent event, CUstream stream) {
  (void)stream;
  CUDA_CALL(true);
  if (!event) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  event->ns = simulator_ns(d->sim);
  event->recorded = true;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuEventSynchronize(CUevent event) {
  CUDA_CALL(true);
  return cuda_leave(event ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

CUDA_API CUresult cuEventQuery(CUevent event) { return cuEventSynchronize(event); }

CUDA_API CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  CUDA_CALL(true);
  if (!milliseconds) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!start || !end || !start->recorded || !end->recorded) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  *milliseconds = (float)((double)(int64_t)(end->ns - start->ns) * 1e-6);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_ALIAS(cuMemAlloc_v2, "cuMemAlloc");
CUDA_ALIAS(cuMemFree_v2, "cuMemFree");
CUDA_ALIAS(cuMemGetInfo_v2, "cuMemGetInfo");
CUDA_ALIAS(cuMemcpyHtoD_v2, "cuMemcpyHtoD");
CUDA_ALIAS(cuMemcpyDtoH_v2, "cuMemcpyDtoH");
CUDA_ALIAS(cuMemcpyDtoD_v2, "cuMemcpyDtoD");
CUDA_ALIAS(cuMemcpyHtoDAsync_v2, "cuMemcpyHtoDAsync");
CUDA_ALIAS(cuMemcpyDtoHAsync_v2, "cuMemcpyDtoHAsync");
CUDA_ALIAS(cuMemcpyDtoDAsync_v2, "cuMemcpyDtoDAsync");
CUDA_ALIAS(cuMemAllocHost_v2, "cuMemAllocHost");
CUDA_ALIAS(cuMemsetD8_v2, "cuMemsetD8");
CUDA_ALIAS(cuMemsetD32_v2, "cuMemsetD32");
CUDA_ALIAS(cuStreamDestroy_v2, "cuStreamDestroy");
CUDA_ALIAS(cuEventDestroy_v2, "cuEventDestroy");
