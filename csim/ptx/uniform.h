/* SPDX-License-Identifier: Apache-2.0 */
/* Which registers hold the same value in all lanes that execute, and where lanes may be apart. */
#ifndef TANDEM_PTX_UNIFORM_H
#define TANDEM_PTX_UNIFORM_H

#include "ptx/flow.h"

/* Among the lanes of a warp that execute an operation together, or among all threads of a CTA that come to it. */
enum uniform_scope { UNIFORM_WARP, UNIFORM_CTA };

struct uniform {
  uint8_t *differs; /* by register: two lanes that execute may find different values in it */
  uint8_t *apart;   /* by block: lanes that will come here may be elsewhere, and have not ended */
  uint8_t *parts;   /* by block: lanes may take different ways at its end */
};

/* The blocks from the end of one to where its lanes meet again. */
struct region {
  uint8_t *in; /* by block */
  uint32_t *stack;
};
struct region ptx_region_new(struct arena *, const struct flow_graph *);
void ptx_region(const struct flow_graph *, const struct flow_block *, struct region *);

/* Of the entry of a kernel; `live_in`: flow_solve_live. */
struct uniform ptx_uniform(struct arena *, const struct flow_graph *, const uint64_t *live_in, enum uniform_scope);

#endif
