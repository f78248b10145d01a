/* SPDX-License-Identifier: Apache-2.0 */
/* Runtime API: texture and surface objects. */
#include "runtime.h"

/* ---- texture objects ---- */

static bool resource(const struct cudaResourceDesc *from, CUDA_RESOURCE_DESC *to) {
  *to = (CUDA_RESOURCE_DESC){0};
  switch (from->resType) {
    case cudaResourceTypeArray:
      to->resType = CU_RESOURCE_TYPE_ARRAY;
      to->res.array.hArray = from->res.array.array;
      return true;
    case cudaResourceTypeMipmappedArray:
      to->resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
      to->res.mipmap.hMipmappedArray = from->res.mipmap.mipmap;
      return true;
    case cudaResourceTypeLinear:
      to->resType = CU_RESOURCE_TYPE_LINEAR;
      to->res.linear.devPtr = rt_address(from->res.linear.devPtr);
      to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
      return rt_format(&from->res.linear.desc, &to->res.linear.format, &to->res.linear.numChannels);
    case cudaResourceTypePitch2D:
      to->resType = CU_RESOURCE_TYPE_PITCH2D;
      to->res.pitch2D.devPtr = rt_address(from->res.pitch2D.devPtr);
      to->res.pitch2D.width = from->res.pitch2D.width;
      to->res.pitch2D.height = from->res.pitch2D.height;
      to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
      return rt_format(&from->res.pitch2D.desc, &to->res.pitch2D.format, &to->res.pitch2D.numChannels);
    default: return false;
  }
}

/* The driver reads integers as normalised floats unless it is told otherwise; of floats it makes no difference. */
static CUDA_TEXTURE_DESC texture(const struct cudaTextureDesc *t) {
  CUDA_TEXTURE_DESC d = {.filterMode = (CUfilter_mode)t->filterMode,
                         .maxAnisotropy = t->maxAnisotropy,
                         .mipmapFilterMode = (CUfilter_mode)t->mipmapFilterMode,
                         .mipmapLevelBias = t->mipmapLevelBias,
                         .minMipmapLevelClamp = t->minMipmapLevelClamp,
                         .maxMipmapLevelClamp = t->maxMipmapLevelClamp};
  for (int i = 0; i < 3; i++) d.addressMode[i] = (CUaddress_mode)t->addressMode[i];
  for (int i = 0; i < 4; i++) d.borderColor[i] = t->borderColor[i];
  if (t->readMode == cudaReadModeElementType) d.flags |= CU_TRSF_READ_AS_INTEGER;
  if (t->normalizedCoords) d.flags |= CU_TRSF_NORMALIZED_COORDINATES;
  if (t->sRGB) d.flags |= CU_TRSF_SRGB;
  if (t->disableTrilinearOptimization) d.flags |= CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
  if (t->seamlessCubemap) d.flags |= CU_TRSF_SEAMLESS_CUBEMAP;
  return d;
}

RT_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *r,
                                           const struct cudaTextureDesc *t, const void *view) {
  CUDA_RESOURCE_DESC desc;
  RT_BEGIN();
  if (!object || !r || !t) return rt_fail(cudaErrorInvalidValue);
  if (!resource(r, &desc)) return rt_fail(cudaErrorInvalidValue);
  CUDA_TEXTURE_DESC how = texture(t);
  return rt_note(cuTexObjectCreate(object, &desc, &how, view));
}
RT_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  RT_BEGIN();
  return object ? rt_note(cuTexObjectDestroy(object)) : cudaSuccess;
}

static void resource_back(const CUDA_RESOURCE_DESC *d, struct cudaResourceDesc *r) {
  if (d->resType == CU_RESOURCE_TYPE_ARRAY) {
    r->resType = cudaResourceTypeArray;
    r->res.array.array = d->res.array.hArray;
  } else if (d->resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY) {
    r->resType = cudaResourceTypeMipmappedArray;
    r->res.mipmap.mipmap = d->res.mipmap.hMipmappedArray;
  } else if (d->resType == CU_RESOURCE_TYPE_LINEAR) {
    r->resType = cudaResourceTypeLinear;
    r->res.linear.devPtr = (void *)(uintptr_t)d->res.linear.devPtr;
    r->res.linear.desc = rt_channels(d->res.linear.format, d->res.linear.numChannels);
    r->res.linear.sizeInBytes = d->res.linear.sizeInBytes;
  } else {
    r->resType = cudaResourceTypePitch2D;
    r->res.pitch2D.devPtr = (void *)(uintptr_t)d->res.pitch2D.devPtr;
    r->res.pitch2D.desc = rt_channels(d->res.pitch2D.format, d->res.pitch2D.numChannels);
    r->res.pitch2D.width = d->res.pitch2D.width;
    r->res.pitch2D.height = d->res.pitch2D.height;
    r->res.pitch2D.pitchInBytes = d->res.pitch2D.pitchInBytes;
  }
}

RT_API cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *r, cudaTextureObject_t object) {
  CUDA_RESOURCE_DESC d;
  RT_BEGIN();
  if (!r) return rt_fail(cudaErrorInvalidValue);
  CUresult result = cuTexObjectGetResourceDesc(&d, object);
  if (!result) resource_back(&d, r);
  return rt_note(result);
}

RT_API cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *t, cudaTextureObject_t object) {
  CUDA_TEXTURE_DESC d;
  RT_BEGIN();
  if (!t) return rt_fail(cudaErrorInvalidValue);
  CUresult result = cuTexObjectGetTextureDesc(&d, object);
  if (result) return rt_note(result);
  *t = (struct cudaTextureDesc){.filterMode = (int)d.filterMode,
                                .readMode = d.flags & CU_TRSF_READ_AS_INTEGER ? cudaReadModeElementType
                                                                              : cudaReadModeNormalizedFloat,
                                .sRGB = (d.flags & CU_TRSF_SRGB) != 0,
                                .normalizedCoords = (d.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0,
                                .maxAnisotropy = d.maxAnisotropy,
                                .mipmapFilterMode = (int)d.mipmapFilterMode,
                                .mipmapLevelBias = d.mipmapLevelBias,
                                .minMipmapLevelClamp = d.minMipmapLevelClamp,
                                .maxMipmapLevelClamp = d.maxMipmapLevelClamp,
                                .disableTrilinearOptimization = (d.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0,
                                .seamlessCubemap = (d.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0};
  for (int i = 0; i < 3; i++) t->addressMode[i] = (int)d.addressMode[i];
  for (int i = 0; i < 4; i++) t->borderColor[i] = d.borderColor[i];
  return cudaSuccess;
}

/* The runtime's structure of a view is the driver's. */
RT_API cudaError_t cudaGetTextureObjectResourceViewDesc(void *view, cudaTextureObject_t object) {
  RT_BEGIN();
  return rt_note(cuTexObjectGetResourceViewDesc(view, object));
}

/* ---- surface objects ---- */

RT_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *r) {
  CUDA_RESOURCE_DESC desc;
  RT_BEGIN();
  if (!object || !r || !resource(r, &desc)) return rt_fail(cudaErrorInvalidValue);
  return rt_note(cuSurfObjectCreate(object, &desc));
}
RT_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  RT_BEGIN();
  return object ? rt_note(cuSurfObjectDestroy(object)) : cudaSuccess;
}
RT_API cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *r, cudaSurfaceObject_t object) {
  CUDA_RESOURCE_DESC d;
  RT_BEGIN();
  if (!r) return rt_fail(cudaErrorInvalidValue);
  CUresult result = cuSurfObjectGetResourceDesc(&d, object);
  if (!result) resource_back(&d, r);
  return rt_note(result);
}
