/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: copies of boxes between host memory, device memory and arrays. */
#include "api_array.h"

#include <stdlib.h>
#include <string.h>

/* Source or destination: the first byte of the box and its strides, or a place in an array. */
struct side {
  CUmemorytype type;
  const void *host;
  CUdeviceptr device;
  CUarray array;
  size_t x, y, z, pitch, height;
  uint8_t *first; /* NULL: an array */
};

/* All bytes of the box must lie in one allocation. */
static CUresult find_memory(struct cuda_driver *d, struct side *s, const CUDA_MEMCPY3D *c) {
  size_t slice, begin, span, part;
  if (s->type < CU_MEMORYTYPE_HOST || s->type > CU_MEMORYTYPE_UNIFIED) return CUDA_ERROR_INVALID_VALUE;
  if (!s->pitch) s->pitch = c->WidthInBytes + s->x;
  if (!s->height) s->height = c->Height + s->y;
  if (s->pitch < c->WidthInBytes || s->height < c->Height) return CUDA_ERROR_INVALID_VALUE;
  if (__builtin_mul_overflow(s->pitch, s->height, &slice) || __builtin_mul_overflow(s->z, slice, &begin) ||
      __builtin_mul_overflow(s->y, s->pitch, &part) || __builtin_add_overflow(begin, part, &begin) ||
      __builtin_add_overflow(begin, s->x, &begin) || __builtin_mul_overflow(c->Depth - 1, slice, &span) ||
      __builtin_mul_overflow(c->Height - 1, s->pitch, &part) || __builtin_add_overflow(span, part, &span) ||
      __builtin_add_overflow(span, c->WidthInBytes, &span))
    return CUDA_ERROR_INVALID_VALUE;
  uint64_t base = s->type == CU_MEMORYTYPE_HOST ? (uintptr_t)s->host : s->device;
  if (!base) return CUDA_ERROR_INVALID_VALUE;
  s->first = cuda_device_bytes(d, base + begin, span);
  if (!s->first && s->type != CU_MEMORYTYPE_DEVICE) s->first = cuda_any_range(d, base + begin, span);
  return s->first ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult find_side(struct cuda_driver *d, struct side *s, const CUDA_MEMCPY3D *c) {
  if (s->type != CU_MEMORYTYPE_ARRAY) return find_memory(d, s, c);
  const struct CUarray_st *a = cuda_array(d, s->array);
  if (!a) return CUDA_ERROR_INVALID_HANDLE;
  bool fits = cuda_array_holds(a, (struct array_place){s->x, s->y, s->z}, c->WidthInBytes, c->Height, c->Depth);
  return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* A row between memory and memory, memory and array, or, through `between`, array and array. */
static void copy_row(struct cuda_driver *d, const struct side *to, const struct side *from, size_t y, size_t z,
                     size_t width, void *between) {
  uint8_t *target = to->first ? to->first + (z * to->height + y) * to->pitch : NULL;
  uint8_t *source = from->first ? from->first + (z * from->height + y) * from->pitch : NULL;
  const struct array_place out = {from->x, from->y + y, from->z + z}, in = {to->x, to->y + y, to->z + z};
  if (!source) cuda_array_copy(d, from->array, out, target ? target : between, width, false);
  if (!target) cuda_array_copy(d, to->array, in, source ? source : between, width, true);
  else if (source) memmove(target, source, width);
}

static CUresult copy(struct cuda_driver *d, const CUDA_MEMCPY3D *c) {
  struct side from = {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray,  c->srcXInBytes,
                      c->srcY,          c->srcZ,    c->srcPitch,  c->srcHeight, NULL};
  struct side to = {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray,  c->dstXInBytes,
                    c->dstY,          c->dstZ,    c->dstPitch,  c->dstHeight, NULL};
  CUresult result = find_side(d, &from, c);
  if (!result) result = find_side(d, &to, c);
  if (result) return result;
  void *between = malloc(c->WidthInBytes);
  if (!between) return CUDA_ERROR_OUT_OF_MEMORY;
  for (size_t z = 0; z < c->Depth; z++)
    for (size_t y = 0; y < c->Height; y++) copy_row(d, &to, &from, y, z, c->WidthInBytes, between);
  free(between);
  return CUDA_SUCCESS;
}

CUDA_API CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *c, CUstream stream) {
  CUDA_STREAM_CALL(stream);
  if (!c) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!c->WidthInBytes || !c->Height || !c->Depth) return cuda_leave(CUDA_SUCCESS);
  if (s && s->capture) return cuda_leave(cuda_capture_copy3d(d, s, c));
  return cuda_leave(copy(d, c));
}

CUDA_API CUresult cuMemcpy3D(const CUDA_MEMCPY3D *c) { return cuMemcpy3DAsync(c, NULL); }

CUDA_ALIAS(cuMemcpy3D_v2, "cuMemcpy3D");
CUDA_ALIAS(cuMemcpy3DAsync_v2, "cuMemcpy3DAsync");
