/* SPDX-License-Identifier: Apache-2.0 */
/* When what ran in lockstep goes to the checkers: every so many core cycles of a launch, and when the user interrupts it. */
#ifndef TANDEM_RUN_CHECK_PACE_H
#define TANDEM_RUN_CHECK_PACE_H

#include "dpi.h"
#include "gpu/setup.h"

#include <signal.h>

/* assumption: of threads, enough work for them to be woken; of the simulating thread itself, so little that what it has recorded is
 * still in the cache */
enum { CHECK_PACE = 1024, CHECK_PACE_ALONE = 512 };

struct check_pace {
  struct gpu_pace hook;
  struct dpi *dpi;
  uint32_t every;          /* core cycles */
  struct sigaction before; /* what SIGINT did before the launch */
  bool catches;
};

/* How many operations of an SM are issued until a divergence is known: so many must be kept for its page. */
uint32_t check_pace_operations(uint32_t schedulers, uint32_t check_threads);

void check_pace_init(struct check_pace *, struct dpi *, uint32_t check_threads);
/* Around a launch. Meanwhile SIGINT, unless the program handles it, ends the process only when all that ran is checked, and not at
 * all if that found a divergence, which stops the run. */
void check_pace_begin(struct check_pace *);
void check_pace_end(struct check_pace *);

#endif
