/* SPDX-License-Identifier: Apache-2.0 */
/* The way of each operation through the pipeline of an SM, for whoever records it (sm_record_steps). */
#ifndef TANDEM_CORE_STEPS_H
#define TANDEM_CORE_STEPS_H

#include <stdint.h>

struct ptx_op;

/* An operation has issued. A warp that accesses several memory spaces with one operation issues it once for each. */
struct step_record {
  uint64_t fetched, cycle; /* core cycle from which on it might have issued; that of its issue */
  uint64_t cta;            /* index in the grid */
  const struct ptx_op *op;
  uint32_t pc;          /* index in the kernel */
  uint32_t warp, index; /* hardware warp of the SM; warp of the CTA */
  uint32_t lanes;       /* active */
};
struct step_recorder {
  void *context;
  void (*issue)(void *context, const struct step_record *);
  /* The results of the warp's operation can be read from `cycle` on; not called for operations without results. */
  void (*done)(void *context, uint32_t warp, const struct ptx_op *, uint64_t cycle);
};

#endif
