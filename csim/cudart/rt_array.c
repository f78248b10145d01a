/* SPDX-License-Identifier: Apache-2.0 */
/* Runtime API: arrays, mipmapped arrays, and their copies. */
#include "runtime.h"

/* ---- formats ---- */

RT_API struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

static const CUarray_format formats[][3] = {/* by cudaChannelFormatKind..., then 8, 16, 32 bits */
                                            {CU_AD_FORMAT_SIGNED_INT8, CU_AD_FORMAT_SIGNED_INT16,
                                             CU_AD_FORMAT_SIGNED_INT32},
                                            {CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT16,
                                             CU_AD_FORMAT_UNSIGNED_INT32},
                                            {(CUarray_format)0, CU_AD_FORMAT_HALF, CU_AD_FORMAT_FLOAT}};

/* All channels that exist have the width of the first. */
bool rt_format(const struct cudaChannelFormatDesc *d, CUarray_format *format, unsigned int *channels) {
  int n = d->w ? 4 : d->z ? 3 : d->y ? 2 : 1, size = d->x == 8 ? 0 : d->x == 16 ? 1 : d->x == 32 ? 2 : -1;
  bool equal = (n < 2 || d->y == d->x) && (n < 3 || d->z == d->x) && (n < 4 || d->w == d->x);
  if (size < 0 || !equal || (unsigned)d->f > cudaChannelFormatKindFloat || !formats[d->f][size]) return false;
  *format = formats[d->f][size];
  *channels = (unsigned)n;
  return true;
}

struct cudaChannelFormatDesc rt_channels(CUarray_format format, unsigned int channels) {
  for (int kind = 0; kind <= cudaChannelFormatKindFloat; kind++)
    for (int size = 0; size < 3; size++) {
      int bits = 8 << size;
      if (formats[kind][size] == format)
        return (struct cudaChannelFormatDesc){bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
                                              channels > 3 ? bits : 0, kind};
    }
  return (struct cudaChannelFormatDesc){.f = cudaChannelFormatKindNone};
}

/* ---- arrays ---- */

RT_API cudaError_t cudaMalloc3DArray(CUarray *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
                                     unsigned int flags) {
  CUDA_ARRAY3D_DESCRIPTOR d = {.Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags};
  RT_BEGIN();
  if (!array || !desc) return rt_fail(cudaErrorInvalidValue);
  if (!rt_format(desc, &d.Format, &d.NumChannels)) return rt_fail(cudaErrorInvalidChannelDescriptor);
  return rt_note(cuArray3DCreate(array, &d));
}
RT_API cudaError_t cudaMallocArray(CUarray *array, const struct cudaChannelFormatDesc *desc, size_t width,
                                   size_t height, unsigned int flags) {
  return cudaMalloc3DArray(array, desc, (struct cudaExtent){width, height, 0}, flags);
}
RT_API cudaError_t cudaFreeArray(CUarray array) {
  RT_BEGIN();
  return array ? rt_note(cuArrayDestroy(array)) : cudaSuccess;
}
RT_API cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned int *flags,
                                    CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR d;
  RT_BEGIN();
  CUresult result = cuArray3DGetDescriptor(&d, array);
  if (result) return rt_note(result);
  if (desc) *desc = rt_channels(d.Format, d.NumChannels);
  if (extent) *extent = (struct cudaExtent){d.Width, d.Height, d.Depth};
  if (flags) *flags = d.Flags;
  return cudaSuccess;
}
RT_API cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, CUarray array) {
  return desc ? cudaArrayGetInfo(desc, NULL, NULL, array) : rt_fail(cudaErrorInvalidValue);
}

/* ---- mipmapped arrays ---- */

RT_API cudaError_t cudaMallocMipmappedArray(CUmipmappedArray *array, const struct cudaChannelFormatDesc *desc,
                                            struct cudaExtent extent, unsigned int levels, unsigned int flags) {
  CUDA_ARRAY3D_DESCRIPTOR d = {.Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags};
  RT_BEGIN();
  if (!array || !desc) return rt_fail(cudaErrorInvalidValue);
  if (!rt_format(desc, &d.Format, &d.NumChannels)) return rt_fail(cudaErrorInvalidChannelDescriptor);
  return rt_note(cuMipmappedArrayCreate(array, &d, levels));
}
RT_API cudaError_t cudaGetMipmappedArrayLevel(CUarray *level, CUmipmappedArray array, unsigned int number) {
  RT_DRIVER(cuMipmappedArrayGetLevel(level, array, number));
}
RT_API cudaError_t cudaFreeMipmappedArray(CUmipmappedArray array) {
  RT_BEGIN();
  return array ? rt_note(cuMipmappedArrayDestroy(array)) : cudaSuccess;
}

/* ---- copies: rows of `width` bytes; x counts bytes ---- */

static cudaError_t copy_rows(CUDA_MEMCPY2D *c, size_t width, size_t height, CUstream stream) {
  RT_BEGIN();
  c->WidthInBytes = width;
  c->Height = height;
  return rt_note(cuMemcpy2DAsync(c, stream));
}

RT_API cudaError_t cudaMemcpy2DToArrayAsync(CUarray to, size_t x, size_t y, const void *from, size_t pitch,
                                            size_t width, size_t height, int kind, CUstream stream) {
  CUDA_MEMCPY2D c = {
    .dstXInBytes = x, .dstY = y, .dstArray = to, .srcHost = from, .srcDevice = rt_address(from), .srcPitch = pitch};
  if (!rt_direction(kind, &c.srcMemoryType, &c.dstMemoryType)) return rt_fail(cudaErrorInvalidMemcpyDirection);
  c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  return copy_rows(&c, width, height, stream);
}
RT_API cudaError_t cudaMemcpy2DToArray(CUarray to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                       size_t height, int kind) {
  return rt_waited(cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, NULL));
}
RT_API cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, CUarray from, size_t x, size_t y, size_t width,
                                              size_t height, int kind, CUstream stream) {
  CUDA_MEMCPY2D c = {
    .srcXInBytes = x, .srcY = y, .srcArray = from, .dstHost = to, .dstDevice = rt_address(to), .dstPitch = pitch};
  if (!rt_direction(kind, &c.srcMemoryType, &c.dstMemoryType)) return rt_fail(cudaErrorInvalidMemcpyDirection);
  c.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  return copy_rows(&c, width, height, stream);
}
RT_API cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, CUarray from, size_t x, size_t y, size_t width,
                                         size_t height, int kind) {
  return rt_waited(cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, NULL));
}
RT_API cudaError_t cudaMemcpy2DArrayToArray(CUarray to, size_t to_x, size_t to_y, CUarray from, size_t x, size_t y,
                                            size_t width, size_t height, int kind) {
  CUDA_MEMCPY2D c = {.srcXInBytes = x, .srcY = y, .srcArray = from, .dstXInBytes = to_x, .dstY = to_y, .dstArray = to};
  (void)kind;
  c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  return copy_rows(&c, width, height, NULL);
}

/* Copies of bytes that run on from row to row: from `x` on of row `y`. */
static cudaError_t offset_of(CUarray array, size_t x, size_t y, size_t *offset) {
  struct cudaChannelFormatDesc desc = {0};
  struct cudaExtent extent = {0};
  cudaError_t error = cudaArrayGetInfo(&desc, &extent, NULL, array);
  if (!error) *offset = y * extent.width * (size_t)(desc.x + desc.y + desc.z + desc.w) / 8 + x;
  return error;
}

RT_API cudaError_t cudaMemcpyToArrayAsync(CUarray to, size_t x, size_t y, const void *from, size_t bytes, int kind,
                                          CUstream stream) {
  size_t offset;
  cudaError_t error = offset_of(to, x, y, &offset);
  if (error) return error;
  if (kind == cudaMemcpyDeviceToDevice) return rt_note(cuMemcpyDtoA(to, offset, rt_address(from), bytes));
  return rt_note(cuMemcpyHtoAAsync(to, offset, from, bytes, stream));
}
RT_API cudaError_t cudaMemcpyToArray(CUarray to, size_t x, size_t y, const void *from, size_t bytes, int kind) {
  return rt_waited(cudaMemcpyToArrayAsync(to, x, y, from, bytes, kind, NULL));
}
RT_API cudaError_t cudaMemcpyFromArrayAsync(void *to, CUarray from, size_t x, size_t y, size_t bytes, int kind,
                                            CUstream stream) {
  size_t offset;
  cudaError_t error = offset_of(from, x, y, &offset);
  if (error) return error;
  if (kind == cudaMemcpyDeviceToDevice) return rt_note(cuMemcpyAtoD(rt_address(to), from, offset, bytes));
  return rt_note(cuMemcpyAtoHAsync(to, from, offset, bytes, stream));
}
RT_API cudaError_t cudaMemcpyFromArray(void *to, CUarray from, size_t x, size_t y, size_t bytes, int kind) {
  return rt_waited(cudaMemcpyFromArrayAsync(to, from, x, y, bytes, kind, NULL));
}
RT_API cudaError_t cudaMemcpyArrayToArray(CUarray to, size_t to_x, size_t to_y, CUarray from, size_t x, size_t y,
                                          size_t bytes, int kind) {
  size_t source, target;
  (void)kind;
  cudaError_t error = offset_of(from, x, y, &source);
  if (!error) error = offset_of(to, to_x, to_y, &target);
  return error ? error : rt_note(cuMemcpyAtoA(to, target, from, source, bytes));
}

RT_OWN(cudaMemcpy2DToArray, _ptds,
       (CUarray to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, int kind),
       (to, x, y, from, pitch, width, height, kind))
RT_OWN(cudaMemcpy2DToArrayAsync, _ptsz,
       (CUarray to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, int kind,
        CUstream stream),
       (to, x, y, from, pitch, width, height, kind, stream))
RT_OWN(cudaMemcpy2DFromArray, _ptds,
       (void *to, size_t pitch, CUarray from, size_t x, size_t y, size_t width, size_t height, int kind),
       (to, pitch, from, x, y, width, height, kind))
RT_OWN(cudaMemcpy2DFromArrayAsync, _ptsz,
       (void *to, size_t pitch, CUarray from, size_t x, size_t y, size_t width, size_t height, int kind,
        CUstream stream),
       (to, pitch, from, x, y, width, height, kind, stream))
RT_OWN(cudaMemcpy2DArrayToArray, _ptds,
       (CUarray to, size_t to_x, size_t to_y, CUarray from, size_t x, size_t y, size_t width, size_t height, int kind),
       (to, to_x, to_y, from, x, y, width, height, kind))
RT_OWN(cudaMemcpyToArray, _ptds, (CUarray to, size_t x, size_t y, const void *from, size_t bytes, int kind),
       (to, x, y, from, bytes, kind))
RT_OWN(cudaMemcpyToArrayAsync, _ptsz,
       (CUarray to, size_t x, size_t y, const void *from, size_t bytes, int kind, CUstream stream),
       (to, x, y, from, bytes, kind, stream))
RT_OWN(cudaMemcpyFromArray, _ptds, (void *to, CUarray from, size_t x, size_t y, size_t bytes, int kind),
       (to, from, x, y, bytes, kind))
RT_OWN(cudaMemcpyFromArrayAsync, _ptsz,
       (void *to, CUarray from, size_t x, size_t y, size_t bytes, int kind, CUstream stream),
       (to, from, x, y, bytes, kind, stream))
RT_OWN(cudaMemcpyArrayToArray, _ptds,
       (CUarray to, size_t to_x, size_t to_y, CUarray from, size_t x, size_t y, size_t bytes, int kind),
       (to, to_x, to_y, from, x, y, bytes, kind))
