/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: copies and fills of linear memory. Boxes, and those of arrays: api_copy2d.c, api_copy3d.c. */
#include "api.h"

#include <string.h>

/* Mapped host memory has a shadow in device memory (api_host.c): a copy that names the shadow copies the host's bytes. */
void *cuda_device_bytes(struct cuda_driver *d, CUdeviceptr address, size_t bytes) {
  void *p = cuda_device_range(d, address, bytes);
  if (!p) return NULL;
  for (const struct cuda_allocation *a = d->allocations; a; a = a->next)
    if (a->host && a->start && address - a->start < a->bytes) return a->host + (address - a->start);
  return p;
}

/* Host and device share one address space: a host pointer that is a device address is taken as that. */
static void *host_bytes(struct cuda_driver *d, const void *at, size_t bytes) {
  return cuda_any_range(d, (uintptr_t)at, bytes);
}

static CUresult copy(void *to, const void *from, size_t bytes) {
  if (!to || !from) return CUDA_ERROR_INVALID_VALUE;
  memmove(to, from, bytes);
  return CUDA_SUCCESS;
}

/* Begins a copy in a stream. A copy of no bytes ends here, before its addresses are looked at; one in a captured stream, too. */
#define COPY_CALL(stream, to, from, bytes)       \
  CUDA_STREAM_CALL(stream);                      \
  if (!(bytes)) return cuda_leave(CUDA_SUCCESS); \
  if (s && s->capture) return cuda_leave(cuda_capture_copy(d, s, (uintptr_t)(to), (uintptr_t)(from), bytes))

CUDA_API CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  COPY_CALL(stream, to, from, bytes);
  return cuda_leave(copy(cuda_device_bytes(d, to, bytes), host_bytes(d, from, bytes), bytes));
}

CUDA_API CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  COPY_CALL(stream, to, from, bytes);
  return cuda_leave(copy(host_bytes(d, to, bytes), cuda_device_bytes(d, from, bytes), bytes));
}

CUDA_API CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  COPY_CALL(stream, to, from, bytes);
  return cuda_leave(copy(cuda_device_bytes(d, to, bytes), cuda_device_bytes(d, from, bytes), bytes));
}

CUDA_API CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  COPY_CALL(stream, to, from, bytes);
  void *target = cuda_device_bytes(d, to, bytes), *source = cuda_device_bytes(d, from, bytes);
  if (!target) target = cuda_any_range(d, to, bytes);
  if (!source) source = cuda_any_range(d, from, bytes);
  return cuda_leave(copy(target, source, bytes));
}

CUDA_API CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                                    size_t bytes, CUstream stream) {
  COPY_CALL(stream, to, from, bytes);
  CUcontext a = cuda_object(d, CUDA_CONTEXT, to_context), b = cuda_object(d, CUDA_CONTEXT, from_context);
  if (!a || !b || !a->alive || !b->alive) return cuda_leave(CUDA_ERROR_INVALID_CONTEXT);
  return cuda_leave(copy(cuda_device_bytes(d, to, bytes), cuda_device_bytes(d, from, bytes), bytes));
}

CUDA_API CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
  CUresult result = cuMemcpyHtoDAsync(to, from, bytes, NULL);
  return result ? result : cuda_wait();
}
CUDA_API CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
  CUresult result = cuMemcpyDtoHAsync(to, from, bytes, NULL);
  return result ? result : cuda_wait();
}
CUDA_API CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  CUresult result = cuMemcpyDtoDAsync(to, from, bytes, NULL);
  return result ? result : cuda_wait();
}
CUDA_API CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  CUresult result = cuMemcpyAsync(to, from, bytes, NULL);
  return result ? result : cuda_wait();
}
CUDA_API CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                               size_t bytes) {
  return cuMemcpyPeerAsync(to, to_context, from, from_context, bytes, NULL);
}

/* ---- fills ---- */

static CUresult fill(CUdeviceptr to, size_t pitch, uint32_t value, uint32_t element, size_t width, size_t height,
                     CUstream stream) {
  CUDA_STREAM_CALL(stream);
  size_t row, span;
  if (!width || !height) return cuda_leave(CUDA_SUCCESS);
  if (s && s->capture)
    return cuda_leave(cuda_capture_fill(d, s, &(CUDA_MEMSET_NODE_PARAMS){to, pitch, value, element, width, height}));
  if (to % element || __builtin_mul_overflow(width, element, &row)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (height > 1 && (pitch < row || pitch % element)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (__builtin_mul_overflow(height - 1, pitch, &span) || __builtin_add_overflow(span, row, &span))
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  uint8_t *at = cuda_device_bytes(d, to, span);
  if (!at) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  for (size_t y = 0; y < height; y++, at += pitch) {
    if (element == 1) memset(at, (int)value, width);
    else
      for (size_t x = 0; x < width; x++) memcpy(at + x * element, &value, element); /* the host is little-endian */
  }
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuMemsetD8(CUdeviceptr to, unsigned char v, size_t n) { return fill(to, 0, v, 1, n, 1, NULL); }
CUDA_API CUresult cuMemsetD16(CUdeviceptr to, unsigned short v, size_t n) { return fill(to, 0, v, 2, n, 1, NULL); }
CUDA_API CUresult cuMemsetD32(CUdeviceptr to, unsigned int v, size_t n) { return fill(to, 0, v, 4, n, 1, NULL); }
CUDA_API CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char v, size_t n, CUstream stream) {
  return fill(to, 0, v, 1, n, 1, stream);
}
CUDA_API CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short v, size_t n, CUstream stream) {
  return fill(to, 0, v, 2, n, 1, stream);
}
CUDA_API CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int v, size_t n, CUstream stream) {
  return fill(to, 0, v, 4, n, 1, stream);
}
CUDA_API CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char v, size_t width, size_t height) {
  return fill(to, pitch, v, 1, width, height, NULL);
}
CUDA_API CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short v, size_t width, size_t height) {
  return fill(to, pitch, v, 2, width, height, NULL);
}
CUDA_API CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned int v, size_t width, size_t height) {
  return fill(to, pitch, v, 4, width, height, NULL);
}
CUDA_API CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char v, size_t width, size_t height,
                                    CUstream stream) {
  return fill(to, pitch, v, 1, width, height, stream);
}
CUDA_API CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short v, size_t width, size_t height,
                                     CUstream stream) {
  return fill(to, pitch, v, 2, width, height, stream);
}
CUDA_API CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned int v, size_t width, size_t height,
                                     CUstream stream) {
  return fill(to, pitch, v, 4, width, height, stream);
}

CUDA_ALIAS(cuMemcpyHtoD_v2, "cuMemcpyHtoD");
CUDA_ALIAS(cuMemcpyDtoH_v2, "cuMemcpyDtoH");
CUDA_ALIAS(cuMemcpyDtoD_v2, "cuMemcpyDtoD");
CUDA_ALIAS(cuMemcpyHtoDAsync_v2, "cuMemcpyHtoDAsync");
CUDA_ALIAS(cuMemcpyDtoHAsync_v2, "cuMemcpyDtoHAsync");
CUDA_ALIAS(cuMemcpyDtoDAsync_v2, "cuMemcpyDtoDAsync");
CUDA_ALIAS(cuMemsetD8_v2, "cuMemsetD8");
CUDA_ALIAS(cuMemsetD16_v2, "cuMemsetD16");
CUDA_ALIAS(cuMemsetD32_v2, "cuMemsetD32");
CUDA_ALIAS(cuMemsetD2D8_v2, "cuMemsetD2D8");
CUDA_ALIAS(cuMemsetD2D16_v2, "cuMemsetD2D16");
CUDA_ALIAS(cuMemsetD2D32_v2, "cuMemsetD2D32");
