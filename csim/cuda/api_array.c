/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: arrays, and copies between their first slices and linear memory. Boxes: api_copy2d.c, api_copy3d.c. */
#include "api_array.h"

#include <stdlib.h>
#include <string.h>

CUresult cuda_texture_format(struct texture_memory *m, CUarray_format format, unsigned int channels) {
  if (channels != 1 && channels != 2 && channels != 4) return CUDA_ERROR_INVALID_VALUE;
  m->channels = (uint8_t)channels;
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8: m->format = TEXTURE_U8; return CUDA_SUCCESS;
    case CU_AD_FORMAT_UNSIGNED_INT16: m->format = TEXTURE_U16; return CUDA_SUCCESS;
    case CU_AD_FORMAT_UNSIGNED_INT32: m->format = TEXTURE_U32; return CUDA_SUCCESS;
    case CU_AD_FORMAT_SIGNED_INT8: m->format = TEXTURE_S8; return CUDA_SUCCESS;
    case CU_AD_FORMAT_SIGNED_INT16: m->format = TEXTURE_S16; return CUDA_SUCCESS;
    case CU_AD_FORMAT_SIGNED_INT32: m->format = TEXTURE_S32; return CUDA_SUCCESS;
    case CU_AD_FORMAT_HALF: m->format = TEXTURE_HALF; return CUDA_SUCCESS;
    case CU_AD_FORMAT_FLOAT: m->format = TEXTURE_FLOAT; return CUDA_SUCCESS;
  }
  return cuda_not_supported("array format: only 8-, 16-, 32-bit integers, half and float are simulated");
}

CUarray cuda_array(const struct cuda_driver *d, CUarray array) {
  for (CUarray a = d->textures.arrays; a; a = a->next)
    if (a == array) return a;
  return NULL;
}

size_t cuda_array_row(const struct CUarray_st *a) { return a->desc.Width * texture_element_bytes(&a->memory); }
size_t cuda_array_rows(const struct CUarray_st *a) { return a->desc.Height ? a->desc.Height : 1; }
size_t cuda_array_slices(const struct CUarray_st *a) { return a->desc.Depth ? a->desc.Depth : 1; }

bool cuda_array_holds(const struct CUarray_st *a, struct array_place p, size_t width, size_t height, size_t depth) {
  size_t row = cuda_array_row(a), rows = cuda_array_rows(a), slices = cuda_array_slices(a);
  size_t element = texture_element_bytes(&a->memory);
  return p.x % element == 0 && width % element == 0 && p.x <= row && width <= row - p.x && p.y <= rows &&
         height <= rows - p.y && p.z <= slices && depth <= slices - p.z;
}

/* Copies in runs: the elements of a row that lie in one block are contiguous. */
void cuda_array_copy(struct cuda_driver *d, const struct CUarray_st *a, struct array_place p, void *at, size_t bytes,
                     bool to_array) {
  const struct texture_memory *m = &a->memory;
  size_t x = p.x, element = texture_element_bytes(m), row = cuda_array_row(a), block = element << m->block_x;
  for (uint8_t *host = at; bytes;) {
    size_t inside = x % element, run = a->desc.Height ? block - x % block : row - x;
    if (run > row - x) run = row - x;
    if (run > bytes) run = bytes;
    uint64_t where = m->address + p.z * m->slice + texture_offset(m, (uint32_t)(x / element), (uint32_t)p.y) + inside;
    uint8_t *device = device_memory_at(&d->sim->memory, where, run);
    invariant(device, "an array outside of device memory");
    if (to_array) memcpy(device, host, run);
    else memcpy(host, device, run);
    host += run, x += run, bytes -= run;
  }
}

/* ---- arrays ---- */

/* Which sizes an array may have: layers and faces are its depth. */
static bool sizes_fit(const CUDA_ARRAY3D_DESCRIPTOR *c) {
  bool layered = c->Flags & CUDA_ARRAY3D_LAYERED, cube = c->Flags & CUDA_ARRAY3D_CUBEMAP;
  size_t most = c->Depth && !layered && !cube ? TEXTURE_3D_MAX : TEXTURE_WIDTH_MAX;
  if (!c->Width || c->Width > most || c->Height > most) return false;
  if (cube && (c->Width != c->Height || c->Depth % TEXTURE_FACES || (!layered && c->Depth != TEXTURE_FACES)))
    return false;
  if (layered || cube) return c->Depth && c->Depth <= TEXTURE_LAYERS_MAX;
  return !c->Depth || (c->Height && c->Depth <= TEXTURE_3D_MAX);
}

CUresult cuda_array_describe(const CUDA_ARRAY3D_DESCRIPTOR *desc, uint32_t levels, struct texture_memory *m) {
  const unsigned int known =
    CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_TEXTURE_GATHER;
  *m = (struct texture_memory){.levels = (uint8_t)levels};
  if (desc->Flags & ~known)
    return cuda_not_supported("array flags: only layers, cube maps, surfaces and gathers are simulated");
  if (!sizes_fit(desc)) return CUDA_ERROR_INVALID_VALUE;
  m->width = (uint32_t)desc->Width;
  m->height = (uint32_t)desc->Height;
  m->depth = (uint32_t)desc->Depth;
  m->layered = desc->Flags & CUDA_ARRAY3D_LAYERED;
  m->cube = desc->Flags & CUDA_ARRAY3D_CUBEMAP;
  return cuda_texture_format(m, desc->Format, desc->NumChannels);
}

void cuda_array_allocate(struct cuda_driver *d, struct texture_memory *m) {
  const struct gpu_config *config = &d->sim->session.config;
  int64_t line = config->tex_line_bytes < config->line_bytes ? config->tex_line_bytes : config->line_bytes;
  m->address = device_memory_alloc(&d->sim->memory, texture_place_array(m, (uint32_t)line));
}

static CUresult create(struct cuda_driver *d, CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *desc) {
  struct texture_memory m;
  CUresult result = cuda_array_describe(desc, 1, &m);
  if (result) return result;
  CUarray a = calloc(1, sizeof *a);
  if (a) cuda_array_allocate(d, &m);
  if (!m.address) {
    free(a);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *a = (struct CUarray_st){.memory = m, .desc = *desc, .next = d->textures.arrays};
  d->textures.arrays = a;
  *out = a;
  return CUDA_SUCCESS;
}

CUDA_API CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc) {
  CUDA_UNSAFE_CALL();
  if (!array || !desc) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  const CUDA_ARRAY3D_DESCRIPTOR flat = {
    .Width = desc->Width, .Height = desc->Height, .Format = desc->Format, .NumChannels = desc->NumChannels};
  return cuda_leave(create(d, array, &flat));
}

CUDA_API CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc) {
  CUDA_UNSAFE_CALL();
  return cuda_leave(array && desc ? create(d, array, desc) : CUDA_ERROR_INVALID_VALUE);
}

CUDA_API CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *desc, CUarray array) {
  CUDA_CALL(true);
  if (!desc) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!cuda_array(d, array)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  *desc = (CUDA_ARRAY_DESCRIPTOR){.Width = array->desc.Width,
                                  .Height = array->desc.Height,
                                  .Format = array->desc.Format,
                                  .NumChannels = array->desc.NumChannels};
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *desc, CUarray array) {
  CUDA_CALL(true);
  if (!desc) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!cuda_array(d, array)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  *desc = array->desc;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuArrayDestroy(CUarray array) {
  CUDA_UNSAFE_CALL();
  for (CUarray *link = &d->textures.arrays; *link; link = &(*link)->next) {
    if (*link != array) continue;
    if (array->of) break; /* a level goes with its mipmapped array */
    *link = array->next;
    device_memory_free(&d->sim->memory, array->memory.address, NULL);
    free(array);
    return cuda_leave(CUDA_SUCCESS);
  }
  return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
}

/* ---- copies between an array and linear memory ---- */

/* Begins a copy. assumption: one of bytes that run on from row to row cannot be captured; cuMemcpy3DAsync's can. */
#define ARRAY_COPY_CALL(stream) \
  CUDA_STREAM_CALL(stream);     \
  if (s && s->capture) return cuda_leave(cuda_capture_refuse(d, s))

static CUresult copy(struct cuda_driver *d, CUarray array, size_t offset, void *host, size_t bytes, bool to_array) {
  if (!cuda_array(d, array)) return CUDA_ERROR_INVALID_HANDLE;
  size_t row = cuda_array_row(array), all = row * cuda_array_rows(array);
  if (!bytes) return CUDA_SUCCESS;
  if (!host || offset > all || bytes > all - offset) return CUDA_ERROR_INVALID_VALUE;
  for (uint8_t *at = host; bytes;) {
    size_t x = offset % row, run = bytes < row - x ? bytes : row - x;
    cuda_array_copy(d, array, (struct array_place){.x = x, .y = offset / row}, at, run, to_array);
    at += run, offset += run, bytes -= run;
  }
  return CUDA_SUCCESS;
}

CUDA_API CUresult cuMemcpyHtoAAsync(CUarray to, size_t offset, const void *from, size_t bytes, CUstream stream) {
  ARRAY_COPY_CALL(stream);
  return cuda_leave(copy(d, to, offset, (void *)(uintptr_t)from, bytes, true));
}

CUDA_API CUresult cuMemcpyAtoHAsync(void *to, CUarray from, size_t offset, size_t bytes, CUstream stream) {
  ARRAY_COPY_CALL(stream);
  return cuda_leave(copy(d, from, offset, to, bytes, false));
}

CUDA_API CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void *from, size_t bytes) {
  return cuMemcpyHtoAAsync(to, offset, from, bytes, NULL);
}

CUDA_API CUresult cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t bytes) {
  return cuMemcpyAtoHAsync(to, from, offset, bytes, NULL);
}

CUDA_API CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
  ARRAY_COPY_CALL(NULL);
  return cuda_leave(copy(d, to, offset, cuda_device_range(d, from, bytes), bytes, true));
}

CUDA_API CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
  ARRAY_COPY_CALL(NULL);
  return cuda_leave(copy(d, from, offset, cuda_device_range(d, to, bytes), bytes, false));
}

CUDA_API CUresult cuMemcpyAtoA(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes) {
  ARRAY_COPY_CALL(NULL);
  if (!cuda_array(d, from)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  size_t all = cuda_array_row(from) * cuda_array_rows(from);
  if (from_offset > all || bytes > all - from_offset) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  void *between = malloc(bytes + 1);
  if (!between) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  CUresult result = copy(d, from, from_offset, between, bytes, false);
  if (!result) result = copy(d, to, to_offset, between, bytes, true);
  free(between);
  return cuda_leave(result);
}

CUDA_ALIAS(cuArrayCreate_v2, "cuArrayCreate");
CUDA_ALIAS(cuArrayGetDescriptor_v2, "cuArrayGetDescriptor");
CUDA_ALIAS(cuArray3DCreate_v2, "cuArray3DCreate");
CUDA_ALIAS(cuArray3DGetDescriptor_v2, "cuArray3DGetDescriptor");
CUDA_ALIAS(cuMemcpyHtoA_v2, "cuMemcpyHtoA");
CUDA_ALIAS(cuMemcpyAtoH_v2, "cuMemcpyAtoH");
CUDA_ALIAS(cuMemcpyDtoA_v2, "cuMemcpyDtoA");
CUDA_ALIAS(cuMemcpyAtoD_v2, "cuMemcpyAtoD");
CUDA_ALIAS(cuMemcpyAtoA_v2, "cuMemcpyAtoA");
CUDA_ALIAS(cuMemcpyHtoAAsync_v2, "cuMemcpyHtoAAsync");
CUDA_ALIAS(cuMemcpyAtoHAsync_v2, "cuMemcpyAtoHAsync");
