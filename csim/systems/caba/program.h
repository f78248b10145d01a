/* SPDX-License-Identifier: Apache-2.0 */
/* Routines of a program, which join those of the design. */
#ifndef TANDEM_SYSTEMS_CABA_PROGRAM_H
#define TANDEM_SYSTEMS_CABA_PROGRAM_H

#include <stddef.h>

struct caba_line_code;
struct err;

/* Adds the routines of a text, all or none; a text that is there already is not added again. ERR_SYNTAX, ERR_UNSUPPORTED, ERR_LIMIT with
 * file:line; ERR_VALUE: routines of fills and stores where the design has its own, or that do not give lines back. */
int caba_program_add(struct caba_line_code *, const char *file, const char *text, size_t length, struct err *);

#endif
