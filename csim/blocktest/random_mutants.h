/* SPDX-License-Identifier: Apache-2.0 */
/* Random mutants of a block's RTL, and which check notices each. */
#ifndef TANDEM_BLOCKTEST_RANDOM_MUTANTS_H
#define TANDEM_BLOCKTEST_RANDOM_MUTANTS_H

#include "block/block.h"

#include <jansson.h>

struct err;

enum { RANDOM_MUTANTS_MAX = 254 };

struct random_mutants {
  const struct block_desc *desc; /* of Tandem's own manifest */
  const char *params; /* "P=V P=V"; "": the first set for which model and RTL are proved equal, else the smallest */
  uint32_t n;         /* 1..RANDOM_MUTANTS_MAX */
  uint64_t seed;      /* of the choice of mutants and of the random inputs */
  uint64_t cycles;    /* of lockstep for each mutant */
  const char *const *vectors; /* recorded stimuli of these parameters */
  uint32_t n_vectors;         /* 0: one is recorded, of other random inputs */
  bool suspects;              /* those of the page of each divergence, too */
  const char *out_dir;        /* netlist, list of mutants, logs; it exists */
};

/* Makes the mutants and runs every check on each. *report: see configs/schemas/random-mutants.json. ERR_VALUE, ERR_TOOL: the RTL cannot be
 * elaborated, a tool is missing. */
int random_mutants_run(const struct random_mutants *, json_t **report, struct err *);

#endif
