/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TANDEM_PTX_LINK_REGISTERS_H
#define TANDEM_PTX_LINK_REGISTERS_H

#include "ptx/linker.h"

/* Allocates the registers of all decoded parts: in as few as they need, at most as many as a thread may have. Sets the kernel's registers and
 * predicates and where each part's begin; with ptx_options.phases also its phases. */
int link_allocate(struct linker *);

#endif
