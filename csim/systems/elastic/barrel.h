/* SPDX-License-Identifier: Apache-2.0 */
/* The strict-barrel pipelines (Gou & Gaydadjiev 2011, sections 3, 5 and 6) and their hooks for proposals. */
#ifndef TANDEM_SYSTEMS_ELASTIC_BARREL_H
#define TANDEM_SYSTEMS_ELASTIC_BARREL_H

#include "core/system.h"

/* Organisation of the memory stages: one unit, split at MEM0, or with queues around MEM0 (elastic). */
extern const struct sm_pipeline barrel_unified, barrel_split, barrel_elastic;

/* Operation type, known before issue: 2 bits (Gou & Gaydadjiev 2011, 4.2). A generic access may go to shared memory,
 * but its bank conflicts are not predicted. */
enum { BARREL_OP_MEMORY = 1, BARREL_OP_SHARED = 2 };
uint32_t barrel_op_type(const struct ptx_op *);

/* Any pointer may be NULL. `self` is what system_ops.create returned. */
struct barrel_hooks {
  /* The warp's next operation is number `pc`. Called when the warp starts and after each writeback. */
  void (*fetched)(void *self, uint32_t warp, uint32_t pc);
  /* Called before issue, in cycles with a ready warp or while busy: returns the warps of `ready` that may issue.
   * frozen: the front end stalls and nothing issues; !slot: subwarps of the previously issued warp take the slot. */
  uint64_t (*admit)(void *self, uint64_t ready, bool slot, bool frozen);
  /* The warp issues operation `pc`; excess: cycles beyond its issue slots that its subwarps will take in MEM0. */
  void (*issued)(void *self, uint32_t warp, uint32_t pc, uint32_t excess);
  /* A subwarp of a shared access leaves MEM0; last: it is its warp's last subwarp. */
  void (*resolved)(void *self, uint32_t warp, uint32_t pc, uint32_t degree, bool last);
};

#endif
