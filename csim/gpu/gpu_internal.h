/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the GPU share. */
#ifndef TANDEM_GPU_GPU_INTERNAL_H
#define TANDEM_GPU_GPU_INTERNAL_H

#include "base/err.h"
#include "gpu/gpu.h"
#include "gpu/workers.h"

/* An SM as the clock loop sees it. An SM that cannot do anything sleeps: its cycles are counted
 * when it wakes. */
struct gpu_sm {
  struct sm *sm;
  uint64_t wake;    /* first core cycle worth executing, replies aside */
  uint64_t counted; /* core cycles before this one are executed or counted */
  bool wants_port;  /* wakes when the interconnect has room */
  bool ran, worked; /* sm_cycle in this core cycle, and what it returned */
};

struct gpu {
  struct gpu_config config;
  struct machine machine; /* the configuration's, immutable */
  struct clocks clocks;
  struct device_memory *device_memory;
  struct memory_system *memory;
  struct gpu_sm *sm;
  uint32_t n_sms;
  struct workers *workers; /* or NULL: one host thread */
  uint32_t ran;            /* SMs that executed the last core cycle */
  bool all;                /* every SM executes this one */

  /* the launch */
  struct launch launch;
  uint64_t next_cta;
  uint32_t turn;       /* SM that is offered a CTA first */
  bool aborted;        /* there was a fault */
  bool draining;       /* ... and only what is in flight is waited for */
  uint64_t first_wake; /* of all SMs */
  uint64_t progress;   /* core cycle of the last sign of life */
  uint64_t in_flight;  /* in the memory system, when last looked at */
  struct err fault;
};

/* dispatch.c */
int gpu_prepare_launch(struct gpu *, const struct ptx_kernel *, const uint32_t grid[3], const uint32_t block[3],
                       uint32_t dynamic_shared_bytes, const void *params, struct err *);
/* Gives waiting CTAs to SMs, at most one each; true if an SM got one. */
bool gpu_dispatch(struct gpu *);

/* gpu.c */
/* Counts the cycles that SM `i` slept through, up to the current one. */
void gpu_catch_up(struct gpu *, uint32_t i);

/* deadlock.c */
int gpu_report_deadlock(struct gpu *, struct err *);

#endif
