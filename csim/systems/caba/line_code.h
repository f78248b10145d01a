/* SPDX-License-Identifier: Apache-2.0 */
/* The code of lines where assist warps work: routines executed at once. The host compresses with it, and what an assist warp
 * has made is compared with it. Base and deltas have a coder of their own (coder.h), which is quicker. */
#ifndef TANDEM_SYSTEMS_CABA_LINE_CODE_H
#define TANDEM_SYSTEMS_CABA_LINE_CODE_H

#include "systems/caba/assist.h"
#include "systems/caba/coder.h"
#include "systems/caba/routines.h"

struct caba_parameters;
struct err;

struct caba_line_code {
  bool uses[CABA_N_ALGORITHMS];
  struct caba_coder coder;
  struct aws_store store; /* the algorithms' routines */
  struct assist_warp warp;
};

/* Whether a design uses the routines of an algorithm; appends those of all that it uses (caba_load_algorithm). */
bool caba_uses(const struct caba_parameters *, enum caba_algorithm);
int caba_load_routines(const struct caba_parameters *, struct aws_store *, struct err *);
int caba_line_code_make(struct caba_line_code *, const struct caba_parameters *, struct err *);
/* Writes the image and returns its bytes; CABA_LINE: no code fits, and the image is the line. Of several algorithms that with the shortest
 * image counts; of equal ones (assumption) the first of BDI, FPC, C-Pack, whose decompressions grow longer in about that order. */
uint32_t caba_pack(struct caba_line_code *, const uint8_t line[CABA_LINE], uint8_t image[CABA_LINE]);
/* The line that an image of so many bytes stands for. */
void caba_unpack(struct caba_line_code *, const uint8_t image[CABA_LINE], uint32_t bytes, uint8_t line[CABA_LINE]);

#endif
