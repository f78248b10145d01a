/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: mipmapped arrays. One allocation holds all levels; each level is an array to the program, too. */
#include "api_array.h"

#include <stdlib.h>

CUmipmappedArray cuda_mipmapped_array(const struct cuda_driver *d, CUmipmappedArray array) {
  for (CUmipmappedArray a = d->textures.mipmaps; a; a = a->next)
    if (a == array) return a;
  return NULL;
}

/* Levels until every size is 1. */
static uint32_t levels_of(const CUDA_ARRAY3D_DESCRIPTOR *desc) {
  bool layers = desc->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
  size_t most = desc->Width > desc->Height ? desc->Width : desc->Height;
  if (!layers && desc->Depth > most) most = desc->Depth;
  uint32_t n = 1;
  for (; most > 1 && n < TEXTURE_LEVELS_MAX; most /= 2) n++;
  return n;
}

static void drop_levels(struct cuda_driver *d, CUmipmappedArray of) {
  for (CUarray *link = &d->textures.arrays; *link;) {
    CUarray a = *link;
    if (a->of != of) {
      link = &a->next;
      continue;
    }
    *link = a->next;
    free(a);
  }
}

static CUresult add_levels(struct cuda_driver *d, CUmipmappedArray mipmap) {
  for (uint32_t l = 0; l < mipmap->memory.levels; l++) {
    CUarray a = calloc(1, sizeof *a);
    if (!a) return CUDA_ERROR_OUT_OF_MEMORY;
    *a = (struct CUarray_st){
      .memory = texture_level(&mipmap->memory, l), .desc = mipmap->desc, .of = mipmap, .next = d->textures.arrays};
    a->desc.Width = a->memory.width;
    a->desc.Height = a->memory.height;
    a->desc.Depth = a->memory.depth;
    d->textures.arrays = a;
    mipmap->level[l] = a;
  }
  return CUDA_SUCCESS;
}

static CUresult create(struct cuda_driver *d, CUmipmappedArray *out, const CUDA_ARRAY3D_DESCRIPTOR *desc,
                       uint32_t levels) {
  struct texture_memory m;
  CUresult result = cuda_array_describe(desc, levels, &m);
  if (result) return result;
  CUmipmappedArray a = calloc(1, sizeof *a);
  if (!a) return CUDA_ERROR_OUT_OF_MEMORY;
  cuda_array_allocate(d, &m);
  *a = (struct CUmipmappedArray_st){.memory = m, .desc = *desc, .next = d->textures.mipmaps};
  result = m.address ? add_levels(d, a) : CUDA_ERROR_OUT_OF_MEMORY;
  if (result) {
    drop_levels(d, a);
    if (m.address) device_memory_free(&d->sim->memory, m.address, NULL);
    free(a);
    return result;
  }
  d->textures.mipmaps = a;
  *out = a;
  return CUDA_SUCCESS;
}

/* More levels than the sizes have are as many as they have. */
CUDA_API CUresult cuMipmappedArrayCreate(CUmipmappedArray *array, const CUDA_ARRAY3D_DESCRIPTOR *desc,
                                         unsigned int levels) {
  CUDA_UNSAFE_CALL();
  if (!array || !desc) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  uint32_t most = levels_of(desc);
  return cuda_leave(create(d, array, desc, levels > most ? most : levels ? levels : 1));
}

CUDA_API CUresult cuMipmappedArrayGetLevel(CUarray *level, CUmipmappedArray array, unsigned int number) {
  CUDA_CALL(true);
  if (!cuda_mipmapped_array(d, array)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  if (!level || number >= array->memory.levels) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *level = array->level[number];
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuMipmappedArrayDestroy(CUmipmappedArray array) {
  CUDA_UNSAFE_CALL();
  for (CUmipmappedArray *link = &d->textures.mipmaps; *link; link = &(*link)->next) {
    if (*link != array) continue;
    *link = array->next;
    drop_levels(d, array);
    device_memory_free(&d->sim->memory, array->memory.address, NULL);
    free(array);
    return cuda_leave(CUDA_SUCCESS);
  }
  return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
}
