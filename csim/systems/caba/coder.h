/* SPDX-License-Identifier: Apache-2.0 */
/* Base-delta-immediate coding of a line of 128 bytes, as the blocks bdi_enc and bdi_dec have it (Vijaykumar 2019, 5.5.1; layout and order:
 * csim/blocks/caba/bdi.h, rtl/caba/bdi_enc.v). */
#ifndef TANDEM_SYSTEMS_CABA_CODER_H
#define TANDEM_SYSTEMS_CABA_CODER_H

#include <stdbool.h>
#include <stdint.h>

enum { CABA_LINE = 128 };

struct caba_coder {
  bool first_base; /* the base is the first lane; else the first lane that is no delta by itself */
  uint32_t most;   /* a longer image is not kept: the line stays as it is; bytes */
};

/* Writes the image and returns its bytes; CABA_LINE: the line stays as it is, and the image is the line. */
uint32_t caba_encode(const struct caba_coder *, const uint8_t line[CABA_LINE], uint8_t image[CABA_LINE]);
/* The line that an image of so many bytes stands for. */
void caba_decode(const uint8_t image[CABA_LINE], uint32_t bytes, uint8_t line[CABA_LINE]);

#endif
