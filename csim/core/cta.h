/* SPDX-License-Identifier: Apache-2.0 */
/* The CTAs of an SM: start, barriers, end. */
#ifndef TANDEM_CORE_CTA_H
#define TANDEM_CORE_CTA_H

#include "ptx/ptx.h"

#include <stdbool.h>
#include <stdint.h>

struct sm;

bool sm_can_take_cta(const struct sm *);
void sm_start_cta(struct sm *, uint64_t cta_index); /* x fastest */
void sm_warp_exit(struct sm *, uint32_t w);
void sm_barrier_arrive(struct sm *, uint32_t w, uint32_t mask, struct ptx_barrier);
bool sm_retire_ctas(struct sm *); /* true if one retired */

#endif
