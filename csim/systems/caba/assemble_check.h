/* SPDX-License-Identifier: Apache-2.0 */
/* What a routine's words must keep, whoever made them. */
#ifndef TANDEM_SYSTEMS_CABA_ASSEMBLE_CHECK_H
#define TANDEM_SYSTEMS_CABA_ASSEMBLE_CHECK_H

#include "systems/caba/routine.h"

struct err;

/* The rules that a routine's words keep: one END, at its end; branches stay inside and all lanes take them together; no register,
 * predicate or carry is read before it is written. `line` has the line of each word. */
int caba_check_routine(const char *file, const struct aws_routine *, const uint64_t *word, const uint32_t *line,
                       struct err *);

#endif
