/* SPDX-License-Identifier: Apache-2.0 */
/* Runtime API: copies and fills of linear memory, and copies of variables. Those of arrays are in rt_array.c. */
#include "runtime.h"

CUdeviceptr rt_address(const void *p) { return (uintptr_t)p; }

bool rt_direction(int kind, CUmemorytype *from, CUmemorytype *to) {
  static const CUmemorytype of[][2] = {{CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_HOST},
                                       {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE},
                                       {CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_HOST},
                                       {CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_DEVICE},
                                       {CU_MEMORYTYPE_UNIFIED, CU_MEMORYTYPE_UNIFIED}};
  if ((unsigned)kind > cudaMemcpyDefault) return false;
  *from = of[kind][0];
  *to = of[kind][1];
  return true;
}

/* Addresses that no memory has are refused by the driver, whatever the direction. */
cudaError_t rt_copy(void *to, const void *from, size_t bytes, int kind, CUstream stream) {
  RT_BEGIN();
  switch (kind) {
    case cudaMemcpyHostToDevice: return rt_note(cuMemcpyHtoDAsync(rt_address(to), from, bytes, stream));
    case cudaMemcpyDeviceToHost: return rt_note(cuMemcpyDtoHAsync(to, rt_address(from), bytes, stream));
    case cudaMemcpyDeviceToDevice: return rt_note(cuMemcpyDtoDAsync(rt_address(to), rt_address(from), bytes, stream));
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault: return rt_note(cuMemcpyAsync(rt_address(to), rt_address(from), bytes, stream));
    default: return rt_fail(cudaErrorInvalidMemcpyDirection);
  }
}

cudaError_t rt_waited(cudaError_t error) { return error ? error : rt_note(cuStreamSynchronize(NULL)); }

RT_API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, CUstream stream) {
  return rt_copy(to, from, bytes, kind, stream);
}
RT_API cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
  return rt_waited(rt_copy(to, from, bytes, kind, NULL));
}
RT_API cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                                       CUstream stream) {
  if (to_device || from_device) return rt_fail(cudaErrorInvalidDevice);
  return rt_copy(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}
RT_API cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes) {
  return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, NULL);
}

/* ---- 2D and 3D ---- */

RT_API cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                     size_t height, int kind, CUstream stream) {
  RT_BEGIN();
  CUDA_MEMCPY2D c = {.srcHost = from,
                     .srcDevice = rt_address(from),
                     .srcPitch = from_pitch,
                     .dstHost = to,
                     .dstDevice = rt_address(to),
                     .dstPitch = to_pitch,
                     .WidthInBytes = width,
                     .Height = height};
  if (!rt_direction(kind, &c.srcMemoryType, &c.dstMemoryType)) return rt_fail(cudaErrorInvalidMemcpyDirection);
  if (width > to_pitch || width > from_pitch) return rt_fail(cudaErrorInvalidPitchValue);
  return rt_note(cuMemcpy2DAsync(&c, stream));
}
RT_API cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                size_t height, int kind) {
  return rt_waited(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, NULL));
}

/* Of an array, positions and widths count elements, else bytes. */
static size_t element_bytes(CUarray array) {
  static const unsigned char bytes[] = {
    [CU_AD_FORMAT_UNSIGNED_INT8] = 1, [CU_AD_FORMAT_UNSIGNED_INT16] = 2, [CU_AD_FORMAT_UNSIGNED_INT32] = 4,
    [CU_AD_FORMAT_SIGNED_INT8] = 1,   [CU_AD_FORMAT_SIGNED_INT16] = 2,   [CU_AD_FORMAT_SIGNED_INT32] = 4,
    [CU_AD_FORMAT_HALF] = 2,          [CU_AD_FORMAT_FLOAT] = 4};
  CUDA_ARRAY_DESCRIPTOR d;
  if (!array || cuArrayGetDescriptor(&d, array)) return 1;
  return (size_t)bytes[d.Format] * d.NumChannels;
}

cudaError_t rt_copy3d(const struct cudaMemcpy3DParms *p, CUDA_MEMCPY3D *to_fill) {
  if (!p || !p->srcArray == !p->srcPtr.ptr || !p->dstArray == !p->dstPtr.ptr) return cudaErrorInvalidValue;
  size_t from = element_bytes(p->srcArray), to = element_bytes(p->dstArray), width = p->srcArray ? from : to;
  CUDA_MEMCPY3D c = {.srcXInBytes = p->srcPos.x * from,
                     .srcY = p->srcPos.y,
                     .srcZ = p->srcPos.z,
                     .srcHost = p->srcPtr.ptr,
                     .srcDevice = rt_address(p->srcPtr.ptr),
                     .srcArray = p->srcArray,
                     .srcPitch = p->srcPtr.pitch,
                     .srcHeight = p->srcPtr.ysize,
                     .dstXInBytes = p->dstPos.x * to,
                     .dstY = p->dstPos.y,
                     .dstZ = p->dstPos.z,
                     .dstHost = p->dstPtr.ptr,
                     .dstDevice = rt_address(p->dstPtr.ptr),
                     .dstArray = p->dstArray,
                     .dstPitch = p->dstPtr.pitch,
                     .dstHeight = p->dstPtr.ysize,
                     .WidthInBytes = p->extent.width * width,
                     .Height = p->extent.height,
                     .Depth = p->extent.depth};
  if (!rt_direction(p->kind, &c.srcMemoryType, &c.dstMemoryType)) return cudaErrorInvalidMemcpyDirection;
  if (p->srcArray) c.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  if (p->dstArray) c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  *to_fill = c;
  return cudaSuccess;
}

RT_API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, CUstream stream) {
  CUDA_MEMCPY3D c;
  RT_BEGIN();
  cudaError_t error = rt_copy3d(p, &c);
  return error ? rt_fail(error) : rt_note(cuMemcpy3DAsync(&c, stream));
}
RT_API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) { return rt_waited(cudaMemcpy3DAsync(p, NULL)); }

/* ---- variables of modules ---- */

static cudaError_t place(const void *symbol, size_t bytes, size_t offset, CUdeviceptr *at) {
  size_t size;
  RT_BEGIN();
  cudaError_t error = rt_variable(symbol, at, &size);
  if (error) return rt_fail(error);
  if (offset > size || bytes > size - offset) return rt_fail(cudaErrorInvalidValue);
  *at += offset;
  return cudaSuccess;
}

RT_API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset, int kind,
                                           CUstream stream) {
  CUdeviceptr at;
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) return rt_fail(cudaErrorInvalidMemcpyDirection);
  cudaError_t error = place(symbol, bytes, offset, &at);
  return error ? error : rt_copy((void *)(uintptr_t)at, from, bytes, kind, stream);
}
RT_API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, int kind) {
  return rt_waited(cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, NULL));
}
RT_API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, int kind,
                                             CUstream stream) {
  CUdeviceptr at;
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) return rt_fail(cudaErrorInvalidMemcpyDirection);
  cudaError_t error = place(symbol, bytes, offset, &at);
  return error ? error : rt_copy(to, (const void *)(uintptr_t)at, bytes, kind, stream);
}
RT_API cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind) {
  return rt_waited(cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, NULL));
}

/* ---- fills ---- */

RT_API cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, CUstream stream) {
  RT_DRIVER(cuMemsetD8Async(rt_address(to), (unsigned char)value, bytes, stream));
}
RT_API cudaError_t cudaMemset(void *to, int value, size_t bytes) { return cudaMemsetAsync(to, value, bytes, NULL); }
RT_API cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, CUstream stream) {
  RT_DRIVER(cuMemsetD2D8Async(rt_address(to), pitch, (unsigned char)value, width, height, stream));
}
RT_API cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
  return cudaMemset2DAsync(to, pitch, value, width, height, NULL);
}
/* A slice is filled after another: between their rows may be more than the pitch. */
RT_API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent extent, CUstream stream) {
  cudaError_t error = cudaSuccess;
  for (size_t z = 0; z < extent.depth && !error; z++)
    error =
      cudaMemset2DAsync((char *)p.ptr + z * p.pitch * p.ysize, p.pitch, value, extent.width, extent.height, stream);
  return error;
}
RT_API cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent) {
  return cudaMemset3DAsync(p, value, extent, NULL);
}

RT_OWN(cudaMemcpy, _ptds, (void *to, const void *from, size_t bytes, int kind), (to, from, bytes, kind))
RT_OWN(cudaMemcpyAsync, _ptsz, (void *to, const void *from, size_t bytes, int kind, CUstream stream),
       (to, from, bytes, kind, stream))
RT_OWN(cudaMemcpy2D, _ptds,
       (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind),
       (to, to_pitch, from, from_pitch, width, height, kind))
RT_OWN(cudaMemcpy2DAsync, _ptsz,
       (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind,
        CUstream stream),
       (to, to_pitch, from, from_pitch, width, height, kind, stream))
RT_OWN(cudaMemcpy3D, _ptds, (const struct cudaMemcpy3DParms *p), (p))
RT_OWN(cudaMemcpy3DAsync, _ptsz, (const struct cudaMemcpy3DParms *p, CUstream stream), (p, stream))
RT_OWN(cudaMemcpyToSymbol, _ptds, (const void *symbol, const void *from, size_t bytes, size_t offset, int kind),
       (symbol, from, bytes, offset, kind))
RT_OWN(cudaMemcpyToSymbolAsync, _ptsz,
       (const void *symbol, const void *from, size_t bytes, size_t offset, int kind, CUstream stream),
       (symbol, from, bytes, offset, kind, stream))
RT_OWN(cudaMemcpyFromSymbol, _ptds, (void *to, const void *symbol, size_t bytes, size_t offset, int kind),
       (to, symbol, bytes, offset, kind))
RT_OWN(cudaMemcpyFromSymbolAsync, _ptsz,
       (void *to, const void *symbol, size_t bytes, size_t offset, int kind, CUstream stream),
       (to, symbol, bytes, offset, kind, stream))
RT_OWN(cudaMemset, _ptds, (void *to, int value, size_t bytes), (to, value, bytes))
RT_OWN(cudaMemsetAsync, _ptsz, (void *to, int value, size_t bytes, CUstream stream), (to, value, bytes, stream))
RT_OWN(cudaMemset2D, _ptds, (void *to, size_t pitch, int value, size_t width, size_t height),
       (to, pitch, value, width, height))
RT_OWN(cudaMemset2DAsync, _ptsz, (void *to, size_t pitch, int value, size_t width, size_t height, CUstream stream),
       (to, pitch, value, width, height, stream))
RT_OWN(cudaMemset3D, _ptds, (struct cudaPitchedPtr p, int value, struct cudaExtent extent), (p, value, extent))
RT_OWN(cudaMemset3DAsync, _ptsz, (struct cudaPitchedPtr p, int value, struct cudaExtent extent, CUstream stream),
       (p, value, extent, stream))
