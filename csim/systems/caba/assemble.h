/* SPDX-License-Identifier: Apache-2.0 */
/* Routines of assist warps: text in the manner of PTX becomes words of the assist warp store. docs/caba.md describes the language. */
#ifndef TANDEM_SYSTEMS_CABA_ASSEMBLE_H
#define TANDEM_SYSTEMS_CABA_ASSEMBLE_H

#include "systems/caba/routine.h"

#include <stddef.h>

struct err;

/* Appends the routines of `text` (`length` bytes). ERR_SYNTAX, ERR_UNSUPPORTED, ERR_LIMIT with file:line; the store then has what came
 * before. */
int caba_assemble(const char *file, const char *text, size_t length, struct aws_store *, struct err *);

/* The routine that this event of a line of this encoding (an image's first byte) starts, or NULL. */
const struct aws_routine *caba_routine_for(const struct aws_store *, enum aws_event, uint8_t encoding);

#endif
