/* SPDX-License-Identifier: Apache-2.0 */
/* DRAM alone: the channels of a GPU configuration under a trace or a generator, on request with the protocol checker on
 * every command. Channels are independent: each takes its own requests in order, as fast as its queue has room and not
 * before their cycle. In a whole GPU a request for a full channel also holds back later requests for other channels;
 * here nothing stands between the trace and the controllers. */
#ifndef TANDEM_STUDY_DRAM_STUDY_H
#define TANDEM_STUDY_DRAM_STUDY_H

#include "config/counters.h"
#include "config/gpu_config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct dram_trace;

enum dram_pattern {
  DRAM_RANDOM,   /* each access to a random line of a random bank and row, `repeat` times (Yuan 2009, 4.1: rand1..3) */
  DRAM_ONE_BANK, /* the same, all in one bank */
  DRAM_STREAM,   /* lines one after the other */
  DRAM_STRIDED,  /* `stride` bytes apart */
};

struct dram_study {
  struct gpu_config config;       /* accepted by gpu_config_check */
  const struct dram_trace *trace; /* trace with addresses, or NULL for the generator below */
  enum dram_pattern pattern;
  uint32_t repeat, writes;              /* accesses to each place; percentage of writes */
  uint64_t stride, requests, gap, seed; /* bytes; of all channels; DRAM cycles between two requests of a channel */
  bool check;                           /* check every command against every timing; the first violation is an error */
  uint32_t windows;                     /* number of windows in busy[], 0..DRAM_STUDY_WINDOWS */
  uint64_t window;                      /* DRAM cycles of a window */
};

enum { DRAM_STUDY_WINDOWS = 400 };

struct dram_study_result {
  struct memory_counters n;                 /* of all channels together; dram_cycles: channels times `cycles` */
  uint64_t cycles;                          /* DRAM cycles to the last answer of the last channel */
  uint64_t reads, latency_sum, latency_max; /* DRAM cycles from a read's entering the queue to its answer */
  uint64_t commands;                        /* commands checked by the protocol checker */
  uint64_t busy[DRAM_STUDY_WINDOWS];        /* data bus cycles in each window, all channels */
};

int dram_study_run(const struct dram_study *, struct dram_study_result *, struct err *);

#endif
