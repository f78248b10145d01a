/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks of a proposal that gives warps and CTAs what they run in, where a GPU has it fixed: how many an SM holds, when they come, where their
 * registers and shared memory lie.
 *
 * A `warp` is the number of its context, which it has until it has ended. An SM with at most SM_WARPS contexts has a slot for each, of the
 * same number. With more, a warp issues only while it has a slot (sm_services.seat), and slots go from warp to warp. */
#ifndef TANDEM_CORE_CONTEXTS_H
#define TANDEM_CORE_CONTEXTS_H

#include "ptx/ptx.h"

#include <stdbool.h>
#include <stdint.h>

struct err;
struct gpu_config;

/* What an SM holds of a kind, and how long its operands take beside what the configuration says. */
struct sm_room {
  uint32_t warps, ctas;    /* up to SM_CONTEXTS, SM_CTAS */
  uint32_t shared_bytes;   /* that resident CTAs own together */
  uint32_t operand_cycles; /* added to the latency of each result */
};

/* A launch, for fits(). */
struct sm_need {
  const struct ptx_kernel *kernel;
  uint32_t threads, warps; /* of a CTA */
  uint32_t shared_bytes;   /* of a CTA, rounded up */
};

/* All but room, fits and on may be NULL; none but these three is called in a launch for which on() is false. */
struct context_hooks {
  /* Changes what the configuration says; called once, when the SM is made. */
  void (*room)(const struct gpu_config *, struct sm_room *);
  bool (*on)(const struct gpu_config *);
  /* Most CTAs of the launch that an SM holds, in place of core/occupancy.h; 0: none, and *e says why. */
  uint32_t (*fits)(const struct gpu_config *, const struct sm_need *, struct err *);
  bool (*cta_may_come)(const void *self); /* whether the SM takes a CTA now */
  void (*warp_comes)(void *self,
                     uint32_t warp); /* of the CTA that comes, before cta_start(); called for each of its warps */
  /* A PTX_PHASE is executed; the warp comes to a barrier with `depth` entries on its SIMT stack and waits for `threads` of its CTA (0:
   * all); it has ended and its last load has come. */
  void (*phase)(void *self, uint32_t warp, const struct ptx_op *);
  void (*barrier)(void *self, uint32_t warp, uint32_t threads, uint32_t depth);
  void (*warp_gone)(void *self, uint32_t warp);
  /* An operation of the warp is issued. True: its operands are at hand, or it has none of registers, and it is executed at once. False:
   * it is held, and executed in the core cycle in which collected() names the warp. */
  bool (*operands)(void *self, uint32_t warp, const struct ptx_op *);
  /* The same for the part of shared memory that an operation accesses, when its registers are at hand. */
  bool (*shared)(void *self, uint32_t warp, const struct ptx_access *);
  /* Slots of warps whose held operations have all that they need; called after cycle(). One is named until it has been executed. */
  uint64_t (*collected)(const void *self);
  /* Before an operation is executed, and after that; `pending`: its registers are those of loads that have not come. */
  void (*execute)(void *self, uint32_t warp, const struct ptx_op *, struct ptx_warp *);
  void (*executed)(void *self, uint32_t warp, const struct ptx_op *, struct ptx_warp *, bool pending);
  void (*loaded)(void *self, uint32_t warp, const struct ptx_op *); /* they have come */
  /* A line that was loaded through L1 (sm_services.line) can be read from `cycle` on; `hit`: it was in L1. */
  void (*line_loaded)(void *self, uint32_t tag, uint64_t cycle, bool hit);
};

#endif
