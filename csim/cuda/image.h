/* SPDX-License-Identifier: Apache-2.0 */
/* What a program loads as a module: PTX text, or a fat binary that carries PTX. */
#ifndef TANDEM_CUDA_IMAGE_H
#define TANDEM_CUDA_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* PTX text of an image. */
struct image_text {
  const char *text; /* `length` bytes and a 0 */
  size_t length;
  void *owned; /* free() it; NULL: the text is the caller's */
};

/* The text in `image`: PTX, a fat binary (plain, LZ4 or zstd), or the wrapper around one that compilers leave in a program.
 * `bytes` of it may be read, SIZE_MAX: unknown, as the driver API passes them; sizes in the image are believed then. Of
 * several PTX entries the newest that `capability` (70: 7.0) takes is chosen, else the oldest: this simulator takes every
 * instruction that it knows, whatever the text was made for. Errors: ERR_UNSUPPORTED, a binary without PTX, with what to pass
 * to nvcc; ERR_FILE, cut off or damaged. */
int image_ptx(const char *file, const void *image, size_t bytes, uint32_t capability, struct image_text *out,
              struct err *e);

#endif
