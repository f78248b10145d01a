/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the driver API: arrays, for copies and textures. */
#ifndef TANDEM_CUDA_API_ARRAY_H
#define TANDEM_CUDA_API_ARRAY_H

#include "api.h"
#include "ptx/texture.h"

struct CUarray_st {
  struct texture_memory memory;
  CUDA_ARRAY3D_DESCRIPTOR desc;
  CUmipmappedArray of; /* it is a level of this one; NULL: it has memory of its own */
  struct CUarray_st *next;
};

struct CUmipmappedArray_st {
  struct texture_memory memory;
  CUDA_ARRAY3D_DESCRIPTOR desc;
  CUarray level[TEXTURE_LEVELS_MAX]; /* memory.levels */
  struct CUmipmappedArray_st *next;
};

/* Alignment of linear memory that a texture reads, and of its rows. */
enum { TEXTURE_ALIGNMENT = 256, TEXTURE_PITCH_ALIGNMENT = 32, TEXTURE_WIDTH_MAX = 65536 };
enum { TEXTURE_3D_MAX = 16384, TEXTURE_LAYERS_MAX = 2048 };

/* The array if the handle is one, else NULL. */
CUarray cuda_array(const struct cuda_driver *, CUarray);
CUmipmappedArray cuda_mipmapped_array(const struct cuda_driver *, CUmipmappedArray);
/* Sets format and channels of the memory. */
CUresult cuda_texture_format(struct texture_memory *, CUarray_format, unsigned int channels);
/* Format, sizes and flags of an array that is asked for; `levels` of a mipmap. No memory yet. */
CUresult cuda_array_describe(const CUDA_ARRAY3D_DESCRIPTOR *, uint32_t levels, struct texture_memory *);
/* Lays out and allocates what describe has filled; address 0: no memory is left. */
void cuda_array_allocate(struct cuda_driver *, struct texture_memory *);
/* Restricts the memory of a texture to a view; CUDA_ERROR_INVALID_VALUE: it does not fit the resource (api_view.c). */
CUresult cuda_view_apply(const CUDA_RESOURCE_DESC *, const CUDA_RESOURCE_VIEW_DESC *, struct texture_memory *);
/* Bytes of an array's row, its rows (1 if it has one dimension), and its slices, layers or faces. */
size_t cuda_array_row(const struct CUarray_st *);
size_t cuda_array_rows(const struct CUarray_st *);
size_t cuda_array_slices(const struct CUarray_st *);
/* Where bytes of an array lie: from byte `x` on of row `y` of slice `z`. */
struct array_place {
  size_t x, y, z;
};
/* Copies `bytes` of a row between the array and host memory at `at`. */
void cuda_array_copy(struct cuda_driver *, const struct CUarray_st *, struct array_place, void *at, size_t bytes,
                     bool to_array);
/* A box of `width` bytes, `height` rows and `depth` slices lies in the array, in whole elements. */
bool cuda_array_holds(const struct CUarray_st *, struct array_place, size_t width, size_t height, size_t depth);

#endif
