/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: texture objects, surface objects and texture references. All write a descriptor (ptx/texture.h) into device memory: an object's at
 * the address that is its handle, a reference's where the module declares the .texref. */
#include "api_array.h"

#include <stdlib.h>
#include <string.h>

struct texture_object {
  CUtexObject handle;
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC texture;
  CUDA_RESOURCE_VIEW_DESC view;
  bool viewed; /* it has a view */
  struct texture_object *next;
};

struct CUtexref_st {
  CUmodule module; /* NULL: of cuTexRefCreate, which no kernel can name */
  uint64_t handle; /* of the .texref; 0: none */
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC texture;
  bool bound, formatted; /* has memory; knows the format */
  CUtexref next;
};

/* ---- descriptors ---- */

static CUresult linear_memory(struct cuda_driver *d, const CUDA_RESOURCE_DESC *r, struct texture_memory *m) {
  CUresult result = cuda_texture_format(m, r->res.linear.format, r->res.linear.numChannels);
  size_t width = r->res.linear.sizeInBytes / (result ? 1 : texture_element_bytes(m));
  if (result) return result;
  if (!width || width > (size_t)1 << 27 || r->res.linear.devPtr % TEXTURE_ALIGNMENT ||
      !cuda_device_range(d, r->res.linear.devPtr, r->res.linear.sizeInBytes))
    return CUDA_ERROR_INVALID_VALUE;
  m->address = r->res.linear.devPtr;
  m->width = (uint32_t)width;
  m->height = 0;
  return CUDA_SUCCESS;
}

static CUresult pitched_memory(struct cuda_driver *d, const CUDA_RESOURCE_DESC *r, struct texture_memory *m) {
  CUresult result = cuda_texture_format(m, r->res.pitch2D.format, r->res.pitch2D.numChannels);
  size_t width = r->res.pitch2D.width, height = r->res.pitch2D.height, pitch = r->res.pitch2D.pitchInBytes, rows;
  if (result) return result;
  if (!width || !height || width > TEXTURE_WIDTH_MAX || height > TEXTURE_WIDTH_MAX || pitch % TEXTURE_PITCH_ALIGNMENT ||
      pitch < width * texture_element_bytes(m) || r->res.pitch2D.devPtr % TEXTURE_ALIGNMENT ||
      __builtin_mul_overflow(height - 1, pitch, &rows) ||
      !cuda_device_range(d, r->res.pitch2D.devPtr, rows + width * texture_element_bytes(m)))
    return CUDA_ERROR_INVALID_VALUE;
  m->address = r->res.pitch2D.devPtr;
  m->pitch = pitch;
  m->width = (uint32_t)width;
  m->height = (uint32_t)height;
  return CUDA_SUCCESS;
}

static CUresult find_memory(struct cuda_driver *d, const CUDA_RESOURCE_DESC *r, struct texture_memory *m) {
  if (r->flags) return CUDA_ERROR_INVALID_VALUE;
  switch (r->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      if (!cuda_array(d, r->res.array.hArray)) return CUDA_ERROR_INVALID_HANDLE;
      *m = r->res.array.hArray->memory;
      return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_LINEAR: return linear_memory(d, r, m);
    case CU_RESOURCE_TYPE_PITCH2D: return pitched_memory(d, r, m);
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      if (!cuda_mipmapped_array(d, r->res.mipmap.hMipmappedArray)) return CUDA_ERROR_INVALID_HANDLE;
      *m = r->res.mipmap.hMipmappedArray->memory;
      return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

/* Integer formats that a fetch can normalise to [0, 1] or [-1, 1]. */
static bool is_narrow(uint8_t format) {
  return format == TEXTURE_U8 || format == TEXTURE_U16 || format == TEXTURE_S8 || format == TEXTURE_S16;
}

/* Only floats have a mean; linear memory is never filtered, and a mipmap is addressed with normalized coordinates. */
static CUresult set_filters(const CUDA_RESOURCE_DESC *r, const CUDA_TEXTURE_DESC *desc, struct texture *t) {
  bool mipmap = r->resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  if ((unsigned)desc->filterMode > CU_TR_FILTER_MODE_LINEAR ||
      (unsigned)desc->mipmapFilterMode > CU_TR_FILTER_MODE_LINEAR)
    return CUDA_ERROR_INVALID_VALUE;
  t->linear = r->resType != CU_RESOURCE_TYPE_LINEAR && desc->filterMode == CU_TR_FILTER_MODE_LINEAR;
  t->linear_levels = mipmap && desc->mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR;
  if ((t->linear || t->linear_levels) && !texture_reads_floats(t)) return CUDA_ERROR_INVALID_VALUE;
  if (!mipmap) return CUDA_SUCCESS;
  t->level_bias = desc->mipmapLevelBias;
  t->least_level = desc->minMipmapLevelClamp;
  t->most_level = desc->maxMipmapLevelClamp;
  return t->normalized ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Linear memory reads 0 beyond its end; it has no address modes. */
static CUresult set_addressing(const CUDA_RESOURCE_DESC *r, const CUDA_TEXTURE_DESC *desc, struct texture *t) {
  bool linear = r->resType == CU_RESOURCE_TYPE_LINEAR;
  for (uint32_t i = 0; i < 3; i++) {
    if ((unsigned)desc->addressMode[i] > CU_TR_ADDRESS_MODE_BORDER) return CUDA_ERROR_INVALID_VALUE;
    t->mode[i] = linear ? TEXTURE_BORDER : (uint8_t)desc->addressMode[i]; /* the same numbers */
  }
  if (linear) return CUDA_SUCCESS;
  memcpy(t->border, desc->borderColor, sizeof t->border);
  bool colour = t->border[0] || t->border[1] || t->border[2] || t->border[3];
  if (colour && !texture_reads_floats(t))
    return cuda_not_supported("a border colour of a texture that reads integers is not simulated: make it 0");
  return CUDA_SUCCESS;
}

/* assumption: formats other than integers of 8 bits that are read as [0, 1] have no sRGB form. */
static CUresult set_srgb(const CUDA_TEXTURE_DESC *desc, struct texture *t) {
  t->srgb = desc->flags & CU_TRSF_SRGB;
  if (!t->srgb || (t->memory.format == TEXTURE_U8 && t->reads_normalized)) return CUDA_SUCCESS;
  return cuda_not_supported("sRGB textures have unsigned integers of 8 bits, which are read as normalized floats");
}

static CUresult make_texture(struct cuda_driver *d, const CUDA_RESOURCE_DESC *r, const CUDA_TEXTURE_DESC *desc,
                             const CUDA_RESOURCE_VIEW_DESC *view, struct texture *t) {
  const unsigned int known = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                             CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP;
  memset(t, 0, sizeof *t);
  CUresult result = find_memory(d, r, &t->memory);
  if (!result && view) result = cuda_view_apply(r, view, &t->memory);
  if (result) return result;
  if (desc->flags & ~known) return CUDA_ERROR_INVALID_VALUE;
  if (desc->flags & CU_TRSF_SEAMLESS_CUBEMAP)
    return cuda_not_supported("texture flags: seamless cube maps are not simulated");
  t->reads_normalized = is_narrow(t->memory.format) && !(desc->flags & CU_TRSF_READ_AS_INTEGER);
  t->normalized = r->resType != CU_RESOURCE_TYPE_LINEAR && (desc->flags & CU_TRSF_NORMALIZED_COORDINATES);
  result = set_srgb(desc, t);
  if (!result) result = set_filters(r, desc, t);
  return result ? result : set_addressing(r, desc, t);
}

/* ---- objects ---- */

static struct texture_object **find_object(struct texture_object **list, CUtexObject handle) {
  for (struct texture_object **link = list; *link; link = &(*link)->next)
    if ((*link)->handle == handle) return link;
  return NULL;
}

/* A new object in the list, with its descriptor in device memory. */
static CUresult add_object(struct cuda_driver *d, struct texture_object **list, const struct texture *t,
                           const struct texture_object *like, CUtexObject *out) {
  struct texture_object *o = calloc(1, sizeof *o);
  uint64_t handle = o ? device_memory_alloc(&d->sim->memory, TEXTURE_DESCRIPTOR_BYTES) : 0;
  if (!handle) {
    free(o);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  texture_write(&d->sim->memory, handle, t);
  *o = *like;
  o->handle = handle;
  o->next = *list;
  *list = o;
  *out = handle;
  return CUDA_SUCCESS;
}

static CUresult drop_object(struct cuda_driver *d, struct texture_object **list, CUtexObject object) {
  struct texture_object **link = find_object(list, object), *o;
  if (!link) return CUDA_ERROR_INVALID_VALUE;
  o = *link;
  *link = o->next;
  device_memory_free(&d->sim->memory, o->handle, NULL);
  free(o);
  return CUDA_SUCCESS;
}

CUDA_API CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
                                    const CUDA_TEXTURE_DESC *texture, const CUDA_RESOURCE_VIEW_DESC *view) {
  CUDA_CALL(true);
  struct texture t;
  if (!object || !resource || !texture) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUresult result = make_texture(d, resource, texture, view, &t);
  struct texture_object like = {.resource = *resource, .texture = *texture, .viewed = view};
  if (view) like.view = *view;
  return cuda_leave(result ? result : add_object(d, &d->textures.objects, &t, &like, object));
}

CUDA_API CUresult cuTexObjectDestroy(CUtexObject object) {
  CUDA_CALL(true);
  return cuda_leave(drop_object(d, &d->textures.objects, object));
}

CUDA_API CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *desc, CUtexObject object) {
  CUDA_CALL(true);
  struct texture_object **link = find_object(&d->textures.objects, object);
  if (!link || !desc) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *desc = (*link)->resource;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *desc, CUtexObject object) {
  CUDA_CALL(true);
  struct texture_object **link = find_object(&d->textures.objects, object);
  if (!link || !desc) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *desc = (*link)->texture;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *desc, CUtexObject object) {
  CUDA_CALL(true);
  struct texture_object **link = find_object(&d->textures.objects, object);
  if (!link || !desc || !(*link)->viewed) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *desc = (*link)->view;
  return cuda_leave(CUDA_SUCCESS);
}

/* ---- surface objects: of arrays that were made for them ---- */

CUDA_API CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource) {
  CUDA_CALL(true);
  if (!object || !resource || resource->flags || resource->resType != CU_RESOURCE_TYPE_ARRAY)
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  const struct CUarray_st *array = cuda_array(d, resource->res.array.hArray);
  if (!array) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  if (!(array->desc.Flags & CUDA_ARRAY3D_SURFACE_LDST)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  const struct texture t = {.memory = array->memory, .surface = true};
  const struct texture_object like = {.resource = *resource};
  return cuda_leave(add_object(d, &d->textures.surfaces, &t, &like, object));
}

CUDA_API CUresult cuSurfObjectDestroy(CUsurfObject object) {
  CUDA_CALL(true);
  return cuda_leave(drop_object(d, &d->textures.surfaces, object));
}

CUDA_API CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *desc, CUsurfObject object) {
  CUDA_CALL(true);
  struct texture_object **link = find_object(&d->textures.surfaces, object);
  if (!link || !desc) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  *desc = (*link)->resource;
  return cuda_leave(CUDA_SUCCESS);
}

/* ---- references ---- */

static CUtexref find_reference(const struct cuda_driver *d, CUtexref ref) {
  for (CUtexref r = d->textures.references; r; r = r->next)
    if (r == ref) return r;
  return NULL;
}

/* Writes the descriptor of a reference; as long as something is missing, that of no texture. */
static CUresult update(struct cuda_driver *d, CUtexref ref) {
  struct texture t;
  if (!ref->handle) return CUDA_SUCCESS;
  CUresult result = CUDA_SUCCESS;
  bool complete = ref->bound && ref->formatted;
  if (complete) result = make_texture(d, &ref->resource, &ref->texture, NULL, &t);
  texture_write(&d->sim->memory, ref->handle, complete && !result ? &t : NULL);
  return result;
}

static CUresult new_reference(struct cuda_driver *d, CUtexref *out, CUmodule module, uint64_t handle) {
  CUtexref ref = calloc(1, sizeof *ref);
  if (!ref) return CUDA_ERROR_OUT_OF_MEMORY;
  *ref = (struct CUtexref_st){.module = module, .handle = handle, .next = d->textures.references};
  d->textures.references = ref;
  *out = ref;
  return CUDA_SUCCESS;
}

CUDA_API CUresult cuModuleGetTexRef(CUtexref *ref, CUmodule module, const char *name) {
  CUDA_CALL(true);
  if (!ref || !name) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  bool loaded = false;
  for (CUmodule m = d->modules; m; m = m->next) loaded |= m == module;
  if (!loaded) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  uint64_t handle = ptx_module_texture(module->ptx, name);
  if (!handle) return cuda_leave(CUDA_ERROR_NOT_FOUND);
  for (CUtexref r = d->textures.references; r; r = r->next)
    if (r->handle == handle) {
      *ref = r;
      return cuda_leave(CUDA_SUCCESS);
    }
  return cuda_leave(new_reference(d, ref, module, handle));
}

CUDA_API CUresult cuTexRefCreate(CUtexref *ref) {
  CUDA_CALL(true);
  return cuda_leave(ref ? new_reference(d, ref, NULL, 0) : CUDA_ERROR_INVALID_VALUE);
}

static void drop(CUtexref *link) {
  CUtexref ref = *link;
  *link = ref->next;
  free(ref);
}

CUDA_API CUresult cuTexRefDestroy(CUtexref ref) {
  CUDA_CALL(true);
  for (CUtexref *link = &d->textures.references; *link; link = &(*link)->next)
    if (*link == ref && !ref->module) { /* a module's is destroyed with the module */
      drop(link);
      return cuda_leave(CUDA_SUCCESS);
    }
  return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
}

/* Begins a call that changes `ref`. */
#define REFERENCE_CALL(ref) \
  CUDA_CALL(true);          \
  if (!find_reference(d, ref)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE)

CUDA_API CUresult cuTexRefSetArray(CUtexref ref, CUarray array, unsigned int flags) {
  REFERENCE_CALL(ref);
  if (flags != CU_TRSA_OVERRIDE_FORMAT) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!cuda_array(d, array)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  memset(&ref->resource, 0, sizeof ref->resource);
  ref->resource.resType = CU_RESOURCE_TYPE_ARRAY;
  ref->resource.res.array.hArray = array;
  ref->bound = ref->formatted = true;
  return cuda_leave(update(d, ref));
}

/* If the memory is not aligned, the kernel has to add *byte_offset to its index. */
CUDA_API CUresult cuTexRefSetAddress(size_t *byte_offset, CUtexref ref, CUdeviceptr address, size_t bytes) {
  REFERENCE_CALL(ref);
  size_t offset = (size_t)(address % TEXTURE_ALIGNMENT);
  if ((offset && !byte_offset) || !cuda_device_range(d, address, bytes)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  bool linear = ref->resource.resType == CU_RESOURCE_TYPE_LINEAR;
  if (!linear) {
    memset(&ref->resource, 0, sizeof ref->resource);
    ref->resource.resType = CU_RESOURCE_TYPE_LINEAR;
    ref->formatted = false;
  }
  if (byte_offset) *byte_offset = offset;
  ref->resource.res.linear.devPtr = address - offset;
  ref->resource.res.linear.sizeInBytes = bytes + offset;
  ref->bound = true;
  return cuda_leave(update(d, ref));
}

CUDA_API CUresult cuTexRefSetAddress2D(CUtexref ref, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr address,
                                       size_t pitch) {
  REFERENCE_CALL(ref);
  if (!desc) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  memset(&ref->resource, 0, sizeof ref->resource);
  ref->resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  ref->resource.res.pitch2D.devPtr = address;
  ref->resource.res.pitch2D.format = desc->Format;
  ref->resource.res.pitch2D.numChannels = desc->NumChannels;
  ref->resource.res.pitch2D.width = desc->Width;
  ref->resource.res.pitch2D.height = desc->Height;
  ref->resource.res.pitch2D.pitchInBytes = pitch;
  ref->bound = ref->formatted = true;
  return cuda_leave(update(d, ref));
}

/* Sets the format of linear memory; arrays and 2D memory already have one, which must be the same. */
CUDA_API CUresult cuTexRefSetFormat(CUtexref ref, CUarray_format format, int channels) {
  REFERENCE_CALL(ref);
  struct texture_memory asked = {0}, has = {0};
  CUresult result = cuda_texture_format(&asked, format, (unsigned int)channels);
  if (result) return cuda_leave(result);
  if (ref->bound && ref->resource.resType != CU_RESOURCE_TYPE_LINEAR) {
    result = find_memory(d, &ref->resource, &has);
    bool same = !result && has.format == asked.format && has.channels == asked.channels;
    return cuda_leave(same ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
  }
  ref->resource.resType = CU_RESOURCE_TYPE_LINEAR;
  ref->resource.res.linear.format = format;
  ref->resource.res.linear.numChannels = (unsigned int)channels;
  ref->formatted = true;
  return cuda_leave(update(d, ref));
}

CUDA_API CUresult cuTexRefSetAddressMode(CUtexref ref, int dimension, CUaddress_mode mode) {
  REFERENCE_CALL(ref);
  if (dimension < 0 || dimension > 2 || (unsigned)mode > CU_TR_ADDRESS_MODE_BORDER)
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  ref->texture.addressMode[dimension] = mode;
  return cuda_leave(update(d, ref));
}

CUDA_API CUresult cuTexRefSetFilterMode(CUtexref ref, CUfilter_mode mode) {
  REFERENCE_CALL(ref);
  CUfilter_mode before = ref->texture.filterMode;
  ref->texture.filterMode = mode;
  CUresult result = update(d, ref);
  if (result) {
    ref->texture.filterMode = before;
    update(d, ref);
  }
  return cuda_leave(result);
}

CUDA_API CUresult cuTexRefSetFlags(CUtexref ref, unsigned int flags) {
  REFERENCE_CALL(ref);
  unsigned int before = ref->texture.flags;
  ref->texture.flags = flags;
  CUresult result = update(d, ref);
  if (result) {
    ref->texture.flags = before;
    update(d, ref);
  }
  return cuda_leave(result);
}

/* ---- freeing ---- */

void cuda_drop_module_textures(struct cuda_driver *d, const struct CUmod_st *module) {
  for (CUtexref *link = &d->textures.references; *link;) {
    if ((*link)->module == module) drop(link);
    else link = &(*link)->next;
  }
}

static void free_objects(struct texture_object *first) {
  for (struct texture_object *o = first, *next; o; o = next) {
    next = o->next;
    free(o);
  }
}

void cuda_drop_textures(struct cuda_driver *d) {
  while (d->textures.references) drop(&d->textures.references);
  free_objects(d->textures.objects);
  free_objects(d->textures.surfaces);
  for (CUarray a = d->textures.arrays, next; a; a = next) {
    next = a->next;
    free(a);
  }
  for (CUmipmappedArray a = d->textures.mipmaps, next; a; a = next) {
    next = a->next;
    free(a);
  }
  d->textures = (struct cuda_textures){0};
}

CUDA_ALIAS(cuTexRefSetAddress_v2, "cuTexRefSetAddress");
CUDA_ALIAS(cuTexRefSetAddress2D_v3, "cuTexRefSetAddress2D");
