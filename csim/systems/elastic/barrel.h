/* SPDX-License-Identifier: Apache-2.0 */
/* The strict-barrel pipelines (Gou & Gaydadjiev 2011, sections 3, 5 and 6), and the points at which a proposal takes part in them. */
#ifndef TANDEM_SYSTEMS_ELASTIC_BARREL_H
#define TANDEM_SYSTEMS_ELASTIC_BARREL_H

#include "core/system.h"

/* What the memory stages are: one unit, split at MEM0, or with queues around it (elastic). */
extern const struct sm_pipeline barrel_unified, barrel_split, barrel_elastic;

/* What the pipeline has to know of an operation before it issues: 2 bits (Gou & Gaydadjiev 2011, 4.2). A generic access may
 * meet shared memory, but its conflicts are not predicted. */
enum { BARREL_OP_MEMORY = 1, BARREL_OP_SHARED = 2 };
uint32_t barrel_op_type(const struct ptx_op *);

/* Any pointer may be NULL. `self` is what system_ops.create returned. */
struct barrel_hooks {
  /* The warp's next operation is number `pc`: it has started, or its previous operation has been written back. */
  void (*fetched)(void *self, uint32_t warp, uint32_t pc);
  /* Before the issue of a cycle: which warps of `ready` may issue. frozen: the front end is held, nothing issues; !slot: further
   * subwarps of the warp issued before take the slot. Called in cycles with a ready warp, or while busy. */
  uint64_t (*admit)(void *self, uint64_t ready, bool slot, bool frozen);
  /* The warp issues operation `pc` now; excess: cycles beyond its issue slots that its subwarps will take in MEM0. */
  void (*issued)(void *self, uint32_t warp, uint32_t pc, uint32_t excess);
  /* A subwarp of a shared access has left MEM0 now; last: it is the last one of its warp. */
  void (*resolved)(void *self, uint32_t warp, uint32_t pc, uint32_t degree, bool last);
};

#endif
