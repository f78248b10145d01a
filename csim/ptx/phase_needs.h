/* SPDX-License-Identifier: Apache-2.0 */
/* Phases whose boundaries are drawn (mark_phases.c): what lies between them. */
#ifndef TANDEM_PTX_PHASE_NEEDS_H
#define TANDEM_PTX_PHASE_NEEDS_H

#include "ptx/shared_live.h"

struct phase_marker {
  struct linker *l;
  struct part *part; /* the entry */
  struct flow_graph g;
  const uint64_t *live_in;
  struct shared_live shared;
  uint32_t *live; /* by operation: registers live before it */
  /* By operation, what is compared at boundaries: registers live before it, and shared arrays that are or that it accesses; of a branch
   * at which lanes part, the most and all up to where they meet. */
  uint32_t *ahead;
  struct shared_set *ahead_shared;
  const char *whole;
  struct ptx_phase *phase;
  uint32_t n, capacity;
};

/* The last step of ptx_mark_phases; it also ranks the shared arrays for their layout. */
void ptx_number_phases(struct phase_marker *, uint32_t most);
/* When the registers of all parts have their places. Refuses a kernel whose specifiers cannot say what it needs. */
int ptx_fill_phases(struct linker *);

#endif
