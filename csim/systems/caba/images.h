/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes that the L2 and DRAM hold of each line, where assist warps compress and decompress: the newest version, compressed or plain. */
#ifndef TANDEM_SYSTEMS_CABA_IMAGES_H
#define TANDEM_SYSTEMS_CABA_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

struct caba_images {
  uint8_t **page; /* of IMAGES_PAGE lines each; NULL: zeros */
  uint64_t pages;
};

bool caba_images_create(struct caba_images *, uint64_t lines); /* false: out of memory */
void caba_images_destroy(struct caba_images *);
/* The CABA_LINE bytes of line number `line`; NULL: out of memory. */
uint8_t *caba_images_at(struct caba_images *, uint64_t line);

#endif
