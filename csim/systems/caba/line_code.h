/* SPDX-License-Identifier: Apache-2.0 */
/* The code of lines where assist warps work: an algorithm's routines, executed at once. The host compresses with it, and what an assist warp
 * has made is compared with it. Base and deltas have a coder of their own (coder.h), which is quicker. */
#ifndef TANDEM_SYSTEMS_CABA_LINE_CODE_H
#define TANDEM_SYSTEMS_CABA_LINE_CODE_H

#include "systems/caba/assist.h"
#include "systems/caba/coder.h"
#include "systems/caba/routines.h"

struct caba_parameters;
struct err;

struct caba_line_code {
  enum caba_algorithm algorithm;
  struct caba_coder coder;
  struct aws_store store; /* the algorithm's routines */
  struct assist_warp warp;
};

enum caba_algorithm caba_algorithm_of(const struct caba_parameters *);
int caba_line_code_make(struct caba_line_code *, const struct caba_parameters *, struct err *);
/* Writes the image and returns its bytes; CABA_LINE: no code fits, and the image is the line. */
uint32_t caba_pack(struct caba_line_code *, const uint8_t line[CABA_LINE], uint8_t image[CABA_LINE]);
/* The line that an image of so many bytes stands for. */
void caba_unpack(struct caba_line_code *, const uint8_t image[CABA_LINE], uint32_t bytes, uint8_t line[CABA_LINE]);

#endif
