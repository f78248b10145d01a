/* SPDX-License-Identifier: Apache-2.0 */
/* Lines on which routines are tried: each kind has the shape that one algorithm looks for, and lines that just miss it. They are for counting
 * instructions and for tests; no result about compressibility comes from them. */
#ifndef TANDEM_SYSTEMS_CABA_SAMPLES_H
#define TANDEM_SYSTEMS_CABA_SAMPLES_H

#include "base/rng.h"
#include "systems/caba/aws.h"

enum caba_sample { CABA_SAMPLE_BDI, CABA_SAMPLE_FPC, CABA_SAMPLE_C_PACK, CABA_SAMPLES };
void caba_sample_line(struct rng *, enum caba_sample, uint8_t line[AWS_LINE]);

#endif
