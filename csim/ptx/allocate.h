/* SPDX-License-Identifier: Apache-2.0 */
/* Architectural registers: 32 bits each, an even one and the next for 64 bits, predicates apart. allocate.c spills until all that is live
 * at once fits, colour.c gives numbers. */
#ifndef TANDEM_PTX_ALLOCATE_H
#define TANDEM_PTX_ALLOCATE_H

#include "ptx/decode.h"

enum { PTX_REGISTERS_MAX = 255 }; /* of a thread, on every GPU since compute capability 3.5 */

/* Spills registers of the part until `most` are enough, and numbers them: p->number of each register, p->registers,
 * p->predicates. Refuses an instruction that cannot have its operands in so few, with its line. The interval of each
 * register and call_live are those of the part as it is then. */
int ptx_allocate(struct decoder *, struct part *, uint32_t most, const char *limit);
#endif
