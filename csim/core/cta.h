/* SPDX-License-Identifier: Apache-2.0 */
/* The CTAs of an SM: start, barriers, end. */
#ifndef TANDEM_CORE_CTA_H
#define TANDEM_CORE_CTA_H

#include "ptx/ptx.h"

#include <stdbool.h>
#include <stdint.h>

struct sm;
struct sm_warp;
struct gpu_config;

/* Bytes of shared memory that a CTA takes: its arrays, sm.shared_reserve, parameters if they lie there, rounded up. */
uint32_t sm_shared_slice(const struct gpu_config *, const struct ptx_kernel *, uint32_t dynamic_shared_bytes);
bool sm_can_take_cta(const struct sm *);
void sm_start_cta(struct sm *, uint64_t cta_index); /* x fastest */
void sm_warp_exit(struct sm *, uint32_t w);
/* Where warps are admitted one by one: the slot of a warp that has exited is free; at the end of that cycle other warps start. */
void sm_free_slot(struct sm *, struct sm_warp *);
void sm_start_freed(struct sm *);
void sm_barrier_arrive(struct sm *, uint32_t w, uint32_t mask, struct ptx_barrier);
bool sm_retire_ctas(struct sm *); /* true if one retired */

#endif
