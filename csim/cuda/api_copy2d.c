/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: copies of rectangles (of an array: of its first slice) between host memory, device memory and arrays. */
#include "api_array.h"

#include <stdlib.h>
#include <string.h>

/* Source or destination of a copy: rows in memory, or an array. */
struct side {
  uint8_t *first; /* of the rectangle; NULL: an array */
  size_t pitch;
  CUarray array;
  size_t x, y;
};

/* `bytes` from the base on must lie in one allocation. */
static CUresult find_rows(struct cuda_driver *d, struct side *s, const CUDA_MEMCPY2D *c, CUmemorytype type,
                          const void *host, CUdeviceptr device) {
  size_t rows_before, begin, last, width = c->WidthInBytes;
  if (c->Height > 1 && (s->x > s->pitch || width > s->pitch - s->x)) return CUDA_ERROR_INVALID_VALUE;
  if (__builtin_mul_overflow(s->y, s->pitch, &rows_before) || __builtin_add_overflow(rows_before, s->x, &begin) ||
      __builtin_mul_overflow(c->Height - 1, s->pitch, &last) || __builtin_add_overflow(last, width, &last))
    return CUDA_ERROR_INVALID_VALUE;
  uint64_t base;
  if (type == CU_MEMORYTYPE_UNIFIED && !device_memory_find(&d->sim->memory, device, &base)) {
    type = CU_MEMORYTYPE_HOST;
    host = (const void *)(uintptr_t)device;
  }
  if (type == CU_MEMORYTYPE_HOST) s->first = host ? (uint8_t *)(uintptr_t)host + begin : NULL;
  else s->first = cuda_device_range(d, device + begin, last);
  return s->first ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult find_array(struct cuda_driver *d, const struct side *s, const CUDA_MEMCPY2D *c) {
  const struct CUarray_st *a = cuda_array(d, s->array);
  if (!a) return CUDA_ERROR_INVALID_HANDLE;
  bool fits = cuda_array_holds(a, (struct array_place){.x = s->x, .y = s->y}, c->WidthInBytes, c->Height, 1);
  return fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult find_side(struct cuda_driver *d, struct side *s, const CUDA_MEMCPY2D *c, CUmemorytype type,
                          const void *host, CUdeviceptr device) {
  switch (type) {
    case CU_MEMORYTYPE_ARRAY: return find_array(d, s, c);
    case CU_MEMORYTYPE_HOST:
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED: return find_rows(d, s, c, type, host, device);
  }
  return CUDA_ERROR_INVALID_VALUE;
}

/* Copies between two arrays go through `between`, which holds a row; others go directly. */
static void copy_row(struct cuda_driver *d, const struct side *to, const struct side *from, size_t row, size_t width,
                     void *between) {
  uint8_t *target = to->first ? to->first + row * to->pitch : NULL, *source = NULL;
  struct array_place out = {.x = from->x, .y = from->y + row}, in = {.x = to->x, .y = to->y + row};
  if (from->first) source = from->first + row * from->pitch;
  else cuda_array_copy(d, from->array, out, target ? target : between, width, false);
  if (!target) cuda_array_copy(d, to->array, in, source ? source : between, width, true);
  else if (source) memmove(target, source, width);
}

static CUresult copy(struct cuda_driver *d, const CUDA_MEMCPY2D *c) {
  struct side from = {.pitch = c->srcPitch, .array = c->srcArray, .x = c->srcXInBytes, .y = c->srcY};
  struct side to = {.pitch = c->dstPitch, .array = c->dstArray, .x = c->dstXInBytes, .y = c->dstY};
  if (!c->WidthInBytes || !c->Height) return CUDA_SUCCESS;
  CUresult result = find_side(d, &from, c, c->srcMemoryType, c->srcHost, c->srcDevice);
  if (!result) result = find_side(d, &to, c, c->dstMemoryType, c->dstHost, c->dstDevice);
  if (result) return result;
  void *between = malloc(c->WidthInBytes);
  if (!between) return CUDA_ERROR_OUT_OF_MEMORY;
  for (size_t row = 0; row < c->Height; row++) copy_row(d, &to, &from, row, c->WidthInBytes, between);
  free(between);
  return CUDA_SUCCESS;
}

CUDA_API CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *c, CUstream stream) {
  CUDA_STREAM_CALL(stream);
  if (!c) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  return cuda_leave(s && s->capture ? cuda_capture_copy2d(d, s, c) : copy(d, c));
}

CUDA_API CUresult cuMemcpy2D(const CUDA_MEMCPY2D *c) { return cuMemcpy2DAsync(c, NULL); }

CUDA_API CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *c) { return cuMemcpy2D(c); }

CUDA_ALIAS(cuMemcpy2D_v2, "cuMemcpy2D");
CUDA_ALIAS(cuMemcpy2DUnaligned_v2, "cuMemcpy2DUnaligned");
CUDA_ALIAS(cuMemcpy2DAsync_v2, "cuMemcpy2DAsync");
