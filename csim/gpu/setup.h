/* SPDX-License-Identifier: Apache-2.0 */
/* What a GPU is made from, and who looks at it. */
#ifndef TANDEM_GPU_SETUP_H
#define TANDEM_GPU_SETUP_H

#include "core/sm.h"

/* Watches cycles (waves). May be NULL. While it watches, no cycle is skipped. */
struct gpu_observer {
  /* after every executed core cycle; false: stop watching until `next_watch` */
  void (*core_cycle)(struct gpu_observer *, uint64_t tick, uint64_t core_cycle);
  uint64_t watch_from, watch_to; /* core cycles [from, to) */
};

/* A display of how far a launch is, called now and then. May be NULL. Nothing simulated depends on it. */
struct gpu_progress {
  void (*look)(struct gpu_progress *, uint64_t ctas_done, uint64_t ctas, uint64_t core_cycle);
};

/* Looks at the counters at regular times of each launch. May be NULL. */
struct gpu_sampler {
  uint64_t every; /* core cycles, >= 1 */
  /* Core cycles [begin, end) of a launch have been counted: `every` of them, or the launch's last ones. The edges of the other
   * domains before that of core cycle `end` have been executed. */
  void (*sample)(struct gpu_sampler *, uint64_t begin, uint64_t end);
};

/* Copies the process between two ticks, when no thread of the GPU works. May be NULL. */
struct gpu_snapshots {
  uint64_t at; /* core cycle in which take() is called next */
  void (*take)(struct gpu_snapshots *, uint64_t core_cycle);
};

/* Called between two ticks, too, before that: once a core cycle `at` is reached. May be NULL. */
struct gpu_pace {
  uint64_t at;
  void (*reach)(struct gpu_pace *, uint64_t core_cycle);
};

struct gpu_setup {
  struct gpu_config config;
  const struct system_ops *system; /* the proposal, or NULL */
  struct block_factory *factory;
  struct probe_sink *probes;
  struct gpu_observer *observer;
  struct gpu_progress *progress;
  struct gpu_sampler *sampler;
  struct gpu_snapshots *snapshots;
  struct gpu_pace *pace;
  const bool *stop;    /* set: gpu_run ends with ERR_CHECK after the current cycle (a block diverged) */
  bool skip;           /* jump over cycles in which nothing can happen */
  bool events;         /* SMs keep events (core/events.h) */
  bool lines;          /* cycles are counted by operation (core/lines.h) */
  uint32_t operations; /* so many last operations of each SM are noted (core/operations.h); 0: none */
  bool latencies;      /* histograms are kept (config/latencies.h) */
  const struct dram_recorder *recorder; /* of the requests that reach DRAM, or NULL */
  const struct mem_recorder *accesses;  /* at the levels above, or NULL */
  const struct wait_recorder *waits;    /* of SMs that issue nothing, or NULL */
  const struct step_recorder *steps;    /* of the operations of SM `steps_sm`, or NULL */
  uint32_t steps_sm;
  bool check_dram;  /* the first DRAM command that breaks a timing aborts */
  uint32_t threads; /* host threads that execute SMs side by side, 1..WORKERS_MAX; 0 and with an observer: 1 */
};

#endif
