/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles of stimulus: what a block's inputs do, in phases. In a phase, an input keeps what the block's own random stimulus
 * (testbench/F/B_drive.c) gives it, or has rates and values of its own. Profiles are learned from recorded stimuli, or kept by
 * the coverage-guided check; docs/coverage.md describes the file. */
#ifndef TANDEM_BLOCKTEST_PROFILE_H
#define TANDEM_BLOCKTEST_PROFILE_H

#include "base/err.h"
#include "base/rng.h"
#include "block/block.h"

enum {
  PROFILE_VALUES_MAX = 24,
  PROFILE_PHASES_MAX = 256,
  PROFILE_NAME_BYTES = 120,
  PROFILE_VALUE_BYTES = 128,
  PROFILE_ALWAYS = 1000000
};

/* One value of an input, and how often it comes. */
struct profile_value {
  uint8_t bytes[PROFILE_VALUE_BYTES]; /* as in struct B_in */
  uint32_t weight;
};

enum profile_kind {
  PROFILE_DRIVER, /* the block's own stimulus decides */
  PROFILE_RATE,   /* of one bit: it rises and falls with these chances */
  PROFILE_VALUES, /* one of the values, or now and then another: the own stimulus' */
  PROFILE_RANDOM, /* every bit at random */
};

/* What one input does. Chances are those of a cycle, in millionths. */
struct profile_input {
  enum profile_kind kind;
  uint32_t rises, falls; /* PROFILE_RATE */
  uint32_t change;       /* PROFILE_VALUES, PROFILE_RANDOM: that another value is drawn */
  uint32_t others;       /* PROFILE_VALUES: weight of what the own stimulus gives */
  uint32_t n;
  struct profile_value value[PROFILE_VALUES_MAX];
};

struct profile_phase {
  char name[PROFILE_NAME_BYTES];
  uint64_t seed;
  uint32_t cycles;
  struct profile_input input[BLOCK_PORTS_MAX];
};

struct profile {
  const struct block_desc *desc;
  int32_t params[BLOCK_PARAMS_MAX]; /* that the phases were made for */
  struct profile_phase *phase;
  unsigned n;
};

/* An empty profile. */
int profile_init(struct profile *, const struct block_desc *, const int32_t *params, struct err *);
void profile_free(struct profile *);
/* A new phase at the end, all of the block's own stimulus; NULL: there are PROFILE_PHASES_MAX. */
struct profile_phase *profile_add(struct profile *);
/* Overlays the inputs of the phase on `in`, which the block's own stimulus has filled; `kept` (in_bytes, zero at first) are the phase's
 * values of the cycle before. */
void profile_apply(const struct profile *, const struct profile_phase *, struct rng *, uint8_t *kept, void *in);

#endif
