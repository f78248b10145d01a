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
};

/* Of the entry of a kernel; `live_in`: flow_solve_live. */
struct uniform ptx_uniform(struct arena *, const struct flow_graph *, const uint64_t *live_in, enum uniform_scope);

#endif
