/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU: SMs, memory system, clock domains, CTA dispatch. */
#ifndef TANDEM_GPU_GPU_H
#define TANDEM_GPU_GPU_H

#include "core/sm.h"

/* Who watches cycles (waves). May be NULL. While it watches, no cycle is skipped. */
struct gpu_observer {
  /* after every executed core cycle; false: stop watching until `next_watch` */
  void (*core_cycle)(struct gpu_observer *, uint64_t tick, uint64_t core_cycle);
  uint64_t watch_from, watch_to; /* core cycles [from, to) */
};

/* Who is told now and then how far a launch is (a display). May be NULL. Nothing simulated depends on it. */
struct gpu_progress {
  void (*look)(struct gpu_progress *, uint64_t ctas_done, uint64_t ctas, uint64_t core_cycle);
};

struct gpu_setup {
  struct gpu_config config;
  const struct system_ops *system; /* or NULL */
  struct block_factory *factory;
  struct probe_sink *probes;
  struct gpu_observer *observer;
  struct gpu_progress *progress;
  const bool *stop; /* set: gpu_run ends with ERR_CHECK after the current cycle (a block diverged) */
  bool skip;        /* jump over cycles in which nothing can happen */
  bool events;      /* SMs keep events (core/events.h) */
  const struct dram_recorder *recorder; /* of the requests that reach DRAM, or NULL */
  bool check_dram;                      /* the first DRAM command that breaks a timing aborts */
  uint32_t threads; /* host threads that execute SMs side by side, 1..WORKERS_MAX; 0 and with probes: 1 */
};

struct gpu;
struct gpu *gpu_create(const struct gpu_setup *, struct device_memory *, struct err *);
void gpu_destroy(struct gpu *);

/* Lets the memory system end what the driver has asked of it since the last launch (commands of a system); without any, no
 * time passes. Errors as of gpu_run. */
int gpu_settle(struct gpu *, struct err *);
/* Runs a launch to its end (every CTA done, every write drained). ERR_FAULT: the program faulted. ERR_CHECK: a block diverged
 * (*stop was set). ERR_INTERNAL: deadlock, with every component's state in stderr. */
int gpu_run(struct gpu *, const struct ptx_kernel *, const uint32_t grid[3], const uint32_t block[3],
            uint32_t dynamic_shared_bytes, const void *params, struct err *);

uint64_t gpu_core_cycles(const struct gpu *); /* since creation */
uint64_t gpu_ticks(const struct gpu *);
const struct clocks *gpu_clocks(const struct gpu *);
uint32_t gpu_sm_count(const struct gpu *);
const struct event_row *gpu_events(const struct gpu *, uint32_t sm, uint32_t *n, uint64_t *lost);
const struct sm_counters *gpu_sm_counters(const struct gpu *, uint32_t sm); /* since creation */
void *gpu_agent(const struct gpu *); /* the system's part beyond the SMs, or NULL */
const struct memory_counters *gpu_memory_counters(struct gpu *);
struct page_table *gpu_pages(const struct gpu *); /* mem/page_table.h */

#endif
