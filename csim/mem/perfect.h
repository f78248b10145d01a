/* SPDX-License-Identifier: Apache-2.0 */
/* A memory system without traffic (ideal.memory: perfect): what an SM sends is answered after the hit latency of L1; writes
 * vanish. Loads, stores and atomics of warps end in the SM already; only the reads of a proposal's engine come here. */
#ifndef TANDEM_MEM_PERFECT_H
#define TANDEM_MEM_PERFECT_H

#include "mem/request.h"

struct clocks;
struct gpu_config;

struct perfect_memory;

/* NULL: out of memory. */
struct perfect_memory *perfect_create(const struct gpu_config *, const struct clocks *);
void perfect_destroy(struct perfect_memory *);
/* At a core edge. At most as many reads outstanding as the SM has MSHRs. */
void perfect_inject(struct perfect_memory *, const struct mem_request *);
const struct mem_request *perfect_head(const struct perfect_memory *, uint32_t sm, uint64_t tick); /* NULL: none yet */
void perfect_pop(struct perfect_memory *, uint32_t sm);                                            /* only after head */
uint64_t perfect_head_tick(const struct perfect_memory *, uint32_t sm); /* UINT64_MAX: none */

#endif
