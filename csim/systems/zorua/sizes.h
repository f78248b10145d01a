/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes of what Zorua maps (Vijaykumar 2019, 4.4.5). */
#ifndef TANDEM_SYSTEMS_ZORUA_SIZES_H
#define TANDEM_SYSTEMS_ZORUA_SIZES_H

#include "config/gpu_config.h"
#include "ptx/op.h"

enum {
  ZORUA_SET_LANE = 4,                                /* registers of a thread in a set */
  ZORUA_SET_REGISTERS = ZORUA_SET_LANE * WARP_LANES, /* of a warp */
  ZORUA_SET_BYTES = 1024,                            /* of scratchpad */
  ZORUA_LINE = 128,
  ZORUA_STACK_ENTRIES = ZORUA_LINE / 12, /* of a SIMT stack in a line; assumption: a mask and two PCs of 32 bits each */
  ZORUA_REGISTER_SETS = 512,             /* physical ones, at most */
  ZORUA_SCRATCH_SETS = 64,               /* physical ones and a block's logical ones, at most */
  ZORUA_WARP_SETS = 16,                  /* logical register sets of a warp */
  ZORUA_WARP_REGISTERS = ZORUA_WARP_SETS * ZORUA_SET_LANE
};

/* Logical scratchpad sets of a block. */
static inline uint32_t zorua_block_sets(const struct gpu_config *m) {
  return (uint32_t)(m->sm_shared_bytes / ZORUA_SET_BYTES);
}

/* Of the swap space of an SM, in bytes. */
struct zorua_space {
  uint64_t registers, scratch, warps;
};
static inline struct zorua_space zorua_space_for(const struct gpu_config *m, uint64_t warps, uint64_t blocks) {
  return (struct zorua_space){.registers = warps * ZORUA_WARP_SETS * ZORUA_SET_REGISTERS * sizeof(uint32_t),
                              .scratch = blocks * zorua_block_sets(m) * ZORUA_SET_BYTES,
                              .warps = warps * ZORUA_LINE};
}

#endif
