/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the driver API: arrays, for copies and textures. */
#ifndef TANDEM_CUDA_API_ARRAY_H
#define TANDEM_CUDA_API_ARRAY_H

#include "api.h"
#include "ptx/texture.h"

struct CUarray_st {
  struct texture_memory memory;
  CUDA_ARRAY_DESCRIPTOR desc;
  struct CUarray_st *next;
};

/* Alignment of linear memory that a texture reads, and of its rows. */
enum { TEXTURE_ALIGNMENT = 256, TEXTURE_PITCH_ALIGNMENT = 32, TEXTURE_WIDTH_MAX = 65536 };

/* The array if the handle is one, else NULL. */
CUarray cuda_array(const struct cuda_driver *, CUarray);
/* Sets format and channels of the memory. */
CUresult cuda_texture_format(struct texture_memory *, CUarray_format, unsigned int channels);
/* Bytes of an array's row, and its rows (1 if it has one dimension). */
size_t cuda_array_row(const struct CUarray_st *);
size_t cuda_array_rows(const struct CUarray_st *);
/* Copies `bytes` of row `y`, from byte `x` on, between the array and host memory at `at`. */
void cuda_array_copy(struct cuda_driver *, const struct CUarray_st *, size_t x, size_t y, void *at, size_t bytes,
                     bool to_array);

#endif
