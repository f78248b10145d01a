/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TANDEM_PTX_COLOUR_H
#define TANDEM_PTX_COLOUR_H

#include "ptx/flow.h"

/* The set of registers that a value defined by `op` must not share a register with: `live` behind it, all else that it
 * writes, and of what it reads last that which has another width. */
void ptx_clique(const struct flow_graph *, const struct ptx_op *, const uint64_t *live, uint64_t *out);

/* Numbers from 0, the lowest that is free, in the order of `rank` and then of the text; `rank` may be NULL.
 * number[r]: of register or predicate r. The result counts registers; *predicates counts those. */
uint32_t ptx_colour(struct arena *, struct flow_graph *, const uint32_t *rank, uint32_t *number, uint32_t *predicates);

#endif
