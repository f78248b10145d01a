/* SPDX-License-Identifier: Apache-2.0 */
/* The host's clock, for figures about the host; nothing simulated may depend on it. */
#ifndef TANDEM_BASE_HOST_CLOCK_H
#define TANDEM_BASE_HOST_CLOCK_H

#include <time.h>

static inline double host_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
