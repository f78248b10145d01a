/* SPDX-License-Identifier: Apache-2.0 */
/* The host's clock, for host-side figures only; nothing simulated may depend on it. */
#ifndef TANDEM_BASE_HOST_CLOCK_H
#define TANDEM_BASE_HOST_CLOCK_H

#include <time.h>

/* Processor time of the calling thread: the cost of a piece of code, independent of other programs. */
static inline double host_thread_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Processor time of all threads of the process. */
static inline double host_process_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double host_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
