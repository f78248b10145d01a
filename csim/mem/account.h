/* SPDX-License-Identifier: Apache-2.0 */
/* What the memory system counts: its statistics, and what is under way. All parts of a module share one, which one host thread at a
 * time changes. */
#ifndef TANDEM_MEM_ACCOUNT_H
#define TANDEM_MEM_ACCOUNT_H

#include "config/latencies.h"

struct mem_recorder;

struct mem_account {
  _Alignas(128) struct memory_counters counters;
  struct histogram *latency;           /* LATENCIES of them, or NULL */
  const struct mem_recorder *recorder; /* mem/recorder.h, or NULL */
  /* A launch ends when the sum over modules is 0: requests and replies of the SMs, write-backs, fetches by writes, what a memory agent adds. */
  uint64_t in_flight;
  /* No launch waits for it: prefetches and metadata accesses, what a memory agent adds. Clocks run while it is not 0. */
  uint64_t background;
};

#endif
