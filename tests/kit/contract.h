/* SPDX-License-Identifier: Apache-2.0 */
/* The contract that every block of the manifest keeps (csim/block/block.h), checked on its C model under its own random
 * driver. No check knows a block by name. */
#ifndef TANDEM_TESTS_KIT_CONTRACT_H
#define TANDEM_TESTS_KIT_CONTRACT_H

#include "block/block.h"

struct contract_report {
  char text[512];        /* what is broken */
  uint32_t idle_periods; /* periods without enabled inputs that the block came to rest in */
};

/* With one parameter set:
 *   reset        whatever the state was, after it busy is 0, idle cycles change nothing, and the same inputs give the same
 *                outputs
 *   evaluation   drives every output, leaves the bits above a width 0, changes no state, says the same when asked again
 *   busy         depends on registers only; when it is 0, an idle tick changes no state and no output
 *   late inputs  change no output of their cycle; a late enable counts in a cycle that was to be skipped
 * False: *report says what is broken. */
bool contract_kept(const struct block_desc *, const int32_t *params, uint64_t seed, struct contract_report *report);

/* Every set of the sweep can be created; a parameter below its minimum or above its maximum is refused with a sentence that
 * names block and parameter. */
bool contract_parameters_kept(const struct block_desc *, struct contract_report *report);

#endif
