/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TANDEM_PTX_MARK_PHASES_H
#define TANDEM_PTX_MARK_PHASES_H

#include "ptx/linker.h"

/* Divides the entry, whose registers are allocated, into phases: adds the PTX_PHASE operations and numbers the registers anew, so that
 * what lives in a phase of few registers has low numbers, and none reaches `most`. The specifiers are filled in by
 * ptx_fill_phases (phase_needs.h). Refuses a specifier of the text where lanes may be apart. */
int ptx_mark_phases(struct linker *, uint32_t most);

#endif
