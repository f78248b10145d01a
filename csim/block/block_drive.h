/* SPDX-License-Identifier: Apache-2.0 */
/* Constrained-random stimulus for `tandem check`; one driver per block, in testbench/F/B_drive.c. */
#ifndef TANDEM_BLOCK_BLOCK_DRIVE_H
#define TANDEM_BLOCK_BLOCK_DRIVE_H

#include "base/rng.h"

#include <stddef.h>

struct block_driver {
  const char *name;
  size_t state_bytes; /* private state, zeroed before the first cycle */
  /* Fills every field of `in` for the next cycle; `last` holds the outputs of the previous cycle (zero at first).
   * Inputs that are sampled at the clock edge (`late`) are filled too; they are applied after the outputs were read. */
  void (*drive)(const void *cfg, struct rng *rng, void *state, const void *last, void *in);
};

/* Driver of a block of the manifest; generated list. NULL if there is none. */
const struct block_driver *block_driver_find(const char *name);

/* Defines B_driver from `static void B_drive(const struct B_cfg *, struct rng *, struct B_drive_state *,
 * const struct B_out *, struct B_in *)`. */
#define BLOCK_DRIVER(B)                                                                                     \
  static void B##_drive_erased(const void *cfg, struct rng *rng, void *state, const void *last, void *in) { \
    B##_drive(cfg, rng, state, last, in);                                                                   \
  }                                                                                                         \
  const struct block_driver B##_driver = {                                                                  \
    .name = #B, .state_bytes = sizeof(struct B##_drive_state), .drive = B##_drive_erased}

#endif
