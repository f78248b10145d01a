/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes of what Zorua maps (Vijaykumar 2019, 4.4.5), and what kernels need of it. */
#ifndef TANDEM_SYSTEMS_ZORUA_SETS_H
#define TANDEM_SYSTEMS_ZORUA_SETS_H

#include "core/contexts.h"

enum {
  ZORUA_SET_LANE = 4,                                /* registers of a thread in a set */
  ZORUA_SET_REGISTERS = ZORUA_SET_LANE * WARP_LANES, /* of a warp */
  ZORUA_SET_BYTES = 1024,                            /* of scratchpad */
  ZORUA_LINE = 128,
  ZORUA_REGISTER_SETS = 256, /* physical ones, at most */
  ZORUA_SCRATCH_SETS = 64,   /* physical ones and a block's logical ones, at most */
  ZORUA_WARP_SETS = 16,      /* logical register sets of a warp */
  ZORUA_WARP_REGISTERS = ZORUA_WARP_SETS * ZORUA_SET_LANE
};

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
/* Of the swap space, in bytes: registers, scratchpad, warps, each for all SMs. */
struct zorua_space {
  uint64_t registers, scratch, warps;
};
struct zorua_space zorua_space_of_sm(const struct gpu_config *);
uint32_t zorua_block_sets(const struct gpu_config *); /* logical scratchpad sets of a block */

#endif
