/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels need of what Zorua maps, and what an SM has of it. */
#ifndef TANDEM_SYSTEMS_ZORUA_SETS_H
#define TANDEM_SYSTEMS_ZORUA_SETS_H

#include "core/contexts.h"
#include "systems/zorua/sizes.h"

/* Of a phase, in sets. */
struct zorua_need {
  uint32_t registers, scratch;
};
/* `shared`: bytes of a CTA beside static arrays. */
struct zorua_need zorua_need_of(const struct ptx_op *phase, uint32_t shared);

/* Registers of an operation that lie in sets: bit n is architectural register n. */
struct zorua_operands {
  uint64_t reads, writes;
};
struct zorua_operands zorua_operands_of(const struct ptx_kernel *, const struct ptx_op *);
uint32_t zorua_sets_of(uint64_t registers); /* bit s: one of set s */

uint32_t zorua_fits(const struct gpu_config *, const struct sm_need *, struct err *);
struct zorua_space zorua_space_of_sm(const struct gpu_config *);

#endif
