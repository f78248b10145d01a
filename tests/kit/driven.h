/* SPDX-License-Identifier: Apache-2.0 */
/* Any block of the manifest under its own constrained-random driver (testbench/F/B_drive.c), for tests that know no block
 * by name: the contract and the oracles. */
#ifndef TANDEM_TESTS_KIT_DRIVEN_H
#define TANDEM_TESTS_KIT_DRIVEN_H

#include "base/rng.h"
#include "block/block.h"
#include "block/block_drive.h"

struct driven {
  struct block *b; /* C model, never skips; its state held garbage before the reset */
  const struct block_driver *driver;
  void *driver_state;
  struct rng rng;
  uint64_t now;
};

/* False: no memory, no driver, or parameters that the manifest refuses. */
bool driven_open(struct driven *, const struct block_desc *, const int32_t *params, uint64_t seed);
void driven_close(struct driven *);
/* Fills every input of the next cycle, those sampled at the clock edge too. */
void driven_drive(struct driven *);
/* "name=value ..." of a parameter set, for messages. */
const char *driven_params_text(const struct block_desc *, const int32_t *params, char *text, size_t size);

#endif
