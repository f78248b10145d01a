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
  struct aws_store store;       /* the algorithms' routines, then the program's */
  bool program;                 /* these code lines (caba.design = caba_program) */
  uint32_t n_own;               /* routines of the program, the last ones */
  uint32_t wrong;               /* one of them has not given a line back: its number, + 1; 0: none */
  uint32_t version, n_texts;    /* another version after each change; texts of the program */
  uint64_t texts[AWS_ROUTINES]; /* their hashes */
  struct assist_warp warp;
};

/* Whether a design uses the routines of an algorithm; appends those of all that it uses (caba_load_algorithm). */
bool caba_uses(const struct caba_parameters *, enum caba_algorithm);
int caba_load_routines(const struct caba_parameters *, struct aws_store *, struct err *);
int caba_line_code_make(struct caba_line_code *, const struct caba_parameters *, struct err *);
/* Writes the image and returns its bytes; CABA_LINE: no code fits, and the image is the line. Of several algorithms that with the shortest
 * image counts; of equal ones (assumption) the first of BDI, FPC, C-Pack, whose decompressions grow longer in about that order. */
uint32_t caba_pack(struct caba_line_code *, const uint8_t line[CABA_LINE], uint8_t image[CABA_LINE]);
/* The line that an image of so many bytes stands for. False: no routine, or one of the program that is wrong, decompresses it. */
bool caba_unpack(struct caba_line_code *, const uint8_t image[CABA_LINE], uint32_t bytes, uint8_t line[CABA_LINE]);
/* The routine that compresses the line: the design's, or that with the shortest image; if none has a code, the first one tries (assumption).
 * There is one: caba_compresses. */
uint32_t caba_store_routine(struct caba_line_code *, const struct caba_parameters *, const uint8_t line[CABA_LINE]);
bool caba_compresses(const struct aws_store *);

#endif
