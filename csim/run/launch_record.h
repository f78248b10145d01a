/* SPDX-License-Identifier: Apache-2.0 */
/* A launch and what it counted. */
#ifndef TANDEM_RUN_LAUNCH_RECORD_H
#define TANDEM_RUN_LAUNCH_RECORD_H

#include "config/counters.h"
#include "gpu/functional.h"

#include <stdbool.h>
#include <stdint.h>

struct launch_record {
  char kernel[128];
  uint32_t grid[3], block[3];
  bool done;                   /* it ended; else it faulted, or something diverged */
  uint32_t ctas_per_sm;        /* resident, by occupancy */
  uint64_t begin, core_cycles; /* core cycle in which it began; its length */
  struct sm_counters sm;       /* all SMs */
  struct memory_counters memory;
  bool functional; /* simulated without time: `count` instead of the counters, no cycles */
  struct functional_count count;
};

#endif
