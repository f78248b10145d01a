/* SPDX-License-Identifier: Apache-2.0 */
/* Clock domains with exact rational ratios: time is counted in ticks, the least common period of all domains. */
#ifndef TANDEM_BASE_CLOCK_H
#define TANDEM_BASE_CLOCK_H

#include <stdint.h>

enum clock_domain { CLOCK_CORE, CLOCK_NOC, CLOCK_L2, CLOCK_DRAM, CLOCK_DOMAINS }; /* order of coinciding edges */

struct clocks {
  uint64_t period[CLOCK_DOMAINS]; /* ticks */
  uint64_t next[CLOCK_DOMAINS];   /* tick of the next edge */
  uint64_t cycle[CLOCK_DOMAINS];  /* edges passed: the cycle about to be executed */
  uint64_t tick_hz;               /* ticks a second: the least common multiple of the frequencies */
};

/* Least common multiple of the frequencies, kHz: the tick rate. 0: a second would have more than 10^18 ticks. */
uint64_t clocks_common_khz(const uint64_t khz[CLOCK_DOMAINS]);
/* Frequencies in kHz, all >= 1, with a common multiple. */
void clocks_start(struct clocks *, const uint64_t khz[CLOCK_DOMAINS]);
/* Advances domain d over its edges before `tick` without executing them; returns how many. */
uint64_t clocks_skip_until(struct clocks *, enum clock_domain d, uint64_t tick);

#endif
