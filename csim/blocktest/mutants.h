/* SPDX-License-Identifier: Apache-2.0 */
/* Whether random lockstep finds the planted bugs of a block. */
#ifndef TANDEM_BLOCKTEST_MUTANTS_H
#define TANDEM_BLOCKTEST_MUTANTS_H

#include "blocktest/random_run.h"

struct mutant_row {
  const struct block_bug *bug;
  bool caught;
  bool as_listed;  /* at one of the ports (or in a register) that the manifest names */
  uint32_t set;    /* parameter set of the manifest in which it was caught */
  char where[64];  /* port or register */
  uint64_t cycles; /* to the divergence */
};

/* Runs bug `index` (0..n_bugs-1) over the parameter sets, `cycles` each, until it is caught. */
int mutant_run(const struct block_desc *, uint32_t index, uint64_t cycles, uint64_t seed, struct mutant_row *,
               struct err *);

#endif
