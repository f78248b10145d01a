/* SPDX-License-Identifier: Apache-2.0 */
/* Images that a program loads as modules: PTX text, or fat binaries that contain PTX. */
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

/* Finds the PTX text in `image`: PTX itself, a fat binary (plain, LZ4 or zstd), or the wrapper around one that compilers put into a
 * program. `bytes` is its size; SIZE_MAX: unknown, as in the driver API, and the sizes in the image are trusted. Of several PTX
 * entries it takes the newest that is not newer than `capability` (75: 7.5), as a driver does; PTX text is taken whatever its
 * target. ERR_UNSUPPORTED: no PTX, or none that is old enough; ERR_FILE: truncated or damaged. */
int image_ptx(const char *file, const void *image, size_t bytes, uint32_t capability, struct image_text *out,
              struct err *e);

#endif
