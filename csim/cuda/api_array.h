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

/* Alignment that linear memory of a texture needs, and its rows. */
enum { TEXTURE_ALIGNMENT = 256, TEXTURE_PITCH_ALIGNMENT = 32, TEXTURE_WIDTH_MAX = 65536 };

/* The array if the program's handle is one, else NULL. */
CUarray cuda_array(const struct cuda_driver *, CUarray);
/* Format and channels into `memory`; CUDA_ERROR_NOT_SUPPORTED with a sentence, or CUDA_ERROR_INVALID_VALUE. */
CUresult cuda_texture_format(struct texture_memory *, CUarray_format, unsigned int channels);
/* Bytes of an array's row, and its rows (1 if it has one dimension). */
size_t cuda_array_row(const struct CUarray_st *);
size_t cuda_array_rows(const struct CUarray_st *);
/* Copies `bytes` of row `y` from byte `x` on, between the array and the host's `at`. */
void cuda_array_copy(struct cuda_driver *, const struct CUarray_st *, size_t x, size_t y, void *at, size_t bytes,
                     bool to_array);

#endif
