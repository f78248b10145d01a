/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: resource views: another format of a texture's elements, some of its levels or layers. */
#include "api_array.h"

#include <string.h>

/* Formats of views count from 1 in the order of these rows, each with one, two and four channels. */
static const CUarray_format formats[] = {
  CU_AD_FORMAT_UNSIGNED_INT8,  CU_AD_FORMAT_SIGNED_INT8,  CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_SIGNED_INT16,
  CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT32, CU_AD_FORMAT_HALF,           CU_AD_FORMAT_FLOAT};

/* The bytes of an element stay, so that the array's layout does. */
static CUresult set_format(CUresourceViewFormat format, struct texture_memory *m) {
  unsigned int n = (unsigned int)format;
  uint32_t bytes = texture_element_bytes(m);
  if (!n) return CUDA_SUCCESS;
  if (n > CU_RES_VIEW_FORMAT_UNSIGNED_BC7) return CUDA_ERROR_INVALID_VALUE;
  if (n > CU_RES_VIEW_FORMAT_FLOAT_4X32)
    return cuda_not_supported("resource views: block-compressed formats are not simulated");
  CUresult result = cuda_texture_format(m, formats[(n - 1) / 3], 1u << (n - 1) % 3);
  return result || texture_element_bytes(m) == bytes ? result : CUDA_ERROR_INVALID_VALUE;
}

static CUresult set_layers(const CUDA_RESOURCE_VIEW_DESC *v, struct texture_memory *m) {
  if (!m->layered) return v->firstLayer || v->lastLayer ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  uint32_t layers = m->cube ? m->depth / TEXTURE_FACES : m->depth;
  if (v->firstLayer > v->lastLayer || v->lastLayer >= m->depth) return CUDA_ERROR_INVALID_VALUE;
  if (v->firstLayer == 0 && (v->lastLayer == layers - 1 || v->lastLayer == m->depth - 1)) return CUDA_SUCCESS;
  if (m->cube || m->levels > 1)
    return cuda_not_supported("resource views: some of the layers of a mipmap or of cube maps are not simulated");
  m->address += v->firstLayer * m->slice;
  m->depth = v->lastLayer - v->firstLayer + 1;
  return CUDA_SUCCESS;
}

static CUresult set_levels(const CUDA_RESOURCE_VIEW_DESC *v, struct texture_memory *m) {
  uint32_t levels = m->levels ? m->levels : 1;
  if (v->firstMipmapLevel > v->lastMipmapLevel || v->lastMipmapLevel >= levels) return CUDA_ERROR_INVALID_VALUE;
  *m = texture_level(m, v->firstMipmapLevel);
  m->levels = (uint8_t)(v->lastMipmapLevel - v->firstMipmapLevel + 1);
  return CUDA_SUCCESS;
}

CUresult cuda_view_apply(const CUDA_RESOURCE_DESC *r, const CUDA_RESOURCE_VIEW_DESC *v, struct texture_memory *m) {
  static const unsigned int zero[sizeof v->reserved / sizeof *v->reserved];
  if (r->resType != CU_RESOURCE_TYPE_ARRAY && r->resType != CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
    return CUDA_ERROR_INVALID_VALUE;
  if (v->width != m->width || v->height != m->height || v->depth != m->depth ||
      memcmp(v->reserved, zero, sizeof zero) != 0)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult result = set_format(v->format, m);
  if (!result) result = set_layers(v, m);
  return result ? result : set_levels(v, m);
}
