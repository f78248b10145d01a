/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage-guided choice of phases: each episode varies a phase that was kept, or begins with the block's own stimulus; what reaches a
 * point that nothing before has reached is kept. */
#ifndef TANDEM_BLOCKTEST_GUIDED_H
#define TANDEM_BLOCKTEST_GUIDED_H

#include "blocktest/coverage.h"
#include "blocktest/profile.h"

struct guided {
  struct profile *kept;      /* receives the phases that reached something new */
  struct coverage *coverage; /* counts the run */
  struct rng rng;
  struct profile_phase trial;
  unsigned reached; /* before the trial */
  unsigned episodes;
};

/* `kept` is empty, or holds phases to begin with. */
void guided_begin(struct guided *, struct profile *kept, struct coverage *, uint64_t seed);
/* Judges the phase that has just run, if any, and returns the next one (for random_run.next_phase). */
const struct profile_phase *guided_next(void *guided);
/* Judges the last phase. */
void guided_end(struct guided *);

#endif
