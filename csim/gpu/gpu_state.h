/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a GPU, and what its files offer each other. */
#ifndef TANDEM_GPU_GPU_STATE_H
#define TANDEM_GPU_GPU_STATE_H

#include "base/err.h"
#include "core/dispatch.h"
#include "gpu/setup.h"
#include "gpu/workers.h"
#include "mem/zones.h"

/* An SM as the clock loop sees it. An SM that cannot do anything sleeps: its cycles are counted
 * when it wakes. */
struct gpu_sm {
  struct sm *sm;
  const uint64_t *reply_at; /* memory_reply_word */
  uint64_t wake;            /* first core cycle worth executing, replies aside */
  uint64_t counted;         /* core cycles before this one are executed or counted */
  bool wants_port;          /* wakes when the interconnect has room */
  bool takes_cta;           /* has room for another CTA */
};

/* The SMs of a module, when no thread but the caller's looks: while all sleep and no reply comes, the module is passed over. */
struct gpu_group {
  uint64_t first; /* first core cycle in which one of them works; 0: look */
  bool takes_cta, wants_port;
};

enum { GPU_SM_WORDS = 256 / 64 };

/* What a host thread found in the SMs that it executed in a core cycle. A few lines of memory that go from processor to
 * processor; the SMs' own stay. */
struct cycle_result {
  _Alignas(128) uint64_t commit[GPU_SM_WORDS]; /* SMs that did something to the rest of the GPU */
  uint64_t cycle;                              /* the core cycle + 1 it is of; else it is old */
  uint64_t first;                              /* first core cycle in which one of them works */
  uint32_t ran;
  bool alive, faulted, takes_cta, wants_port;
};

struct gpu { /* fields lie by who uses them: NOLINT(clang-analyzer-optin.performance.Padding) */
  struct gpu_setup setup;
  struct gpu_config config; /* the configuration's, immutable */
  struct device_memory *device_memory;
  struct memory_system *memory;
  struct gpu_sm *sm;
  uint32_t n_sms, threads;
  struct gpu_group group[ZONES_MAX];
  uint32_t n_groups;            /* modules */
  bool split;                   /* host threads take a module's memory system each */
  struct workers *workers;      /* or NULL: one host thread */
  struct cycle_result *results; /* a thread */
  const struct dispatch_ops *dispatch_ops;
  void *dispatch;
  uint64_t dispatch_wake;    /* what its cycle() returned */
  struct histogram *latency; /* LATENCIES of them, or NULL */
  uint64_t sampled;          /* first core cycle that no sample has */

  /* what every thread reads in every cycle */
  _Alignas(128) struct clocks clocks;
  bool all;    /* every SM executes this core cycle */
  bool giving; /* there are CTAs that no SM has yet */

  /* the launch */
  _Alignas(128) struct launch launch;
  uint64_t space;      /* device address of the proposal's own memory, or 0 */
  uint64_t started;    /* CTAs */
  uint32_t ran;        /* SMs that executed the last core cycle */
  bool takes_cta;      /* an SM may have room for another CTA */
  bool wants_port;     /* an SM waits for room in the interconnect */
  bool aborted;        /* there was a fault */
  bool draining;       /* ... and only what is in flight is waited for */
  uint64_t first_wake; /* of all SMs */
  bool serial;         /* the kernel prints or allocates: its SMs run on one host thread */
  uint64_t limit;      /* core cycle in which the launch is ended */
  uint64_t sample_at;  /* core cycle before which the sampler is called next, or UINT64_MAX */
  uint64_t progress;   /* core cycle of the last sign of life */
  uint64_t in_flight;  /* in the memory system, when last looked at */
  struct err fault;
  uint32_t ticks_to_look; /* until the progress is told */
};

/* dispatch.c */
const struct dispatch_ops *gpu_dispatch_ops(const struct gpu_setup *);
int gpu_prepare_launch(struct gpu *, const struct ptx_kernel *, const uint32_t grid[3], const uint32_t block[3],
                       uint32_t dynamic_shared_bytes, const void *params, struct err *);
int gpu_create_dispatch(struct gpu *, struct err *);
void gpu_destroy_dispatch(struct gpu *);
/* The policy's cycle(). */
void gpu_dispatch_cycle(struct gpu *);
/* Starts CTAs in SMs, as the dispatch policy chooses; true if one was started. */
bool gpu_dispatch(struct gpu *);
/* Before SM `i` commits the current cycle: tells the policy which CTAs ended in it. */
void gpu_note_ended(struct gpu *, uint32_t i);
/* First core cycle in which the policy, which has a wake(), may start a CTA though nothing else happens before. */
uint64_t gpu_dispatch_wake(const struct gpu *);

/* Counts the cycles that SM `i` slept through, up to the current one. */
static inline void gpu_catch_up(struct gpu *g, uint32_t i) {
  uint64_t now = g->clocks.cycle[CLOCK_CORE];
  if (g->sm[i].counted == now) return;
  sm_skip(g->sm[i].sm, now - g->sm[i].counted);
  g->sm[i].counted = now;
}

/* SM `i` is to be looked at in the next core cycle that is executed. */
static inline void gpu_wake_sm(struct gpu *g, uint32_t i) {
  g->sm[i].wake = g->clocks.cycle[CLOCK_CORE];
  g->group[i / (g->n_sms / g->n_groups)].first = 0;
}

/* sample.c */
int gpu_create_latencies(struct gpu *, struct err *);
void gpu_start_samples(struct gpu *);
/* Calls the sampler for the core cycles since its last call, if there are any. */
void gpu_sample(struct gpu *);

/* deadlock.c */
int gpu_report_deadlock(struct gpu *, struct err *);
int gpu_report_unsettled(struct gpu *, struct err *);
int gpu_report_limit(struct gpu *, struct err *);

#endif
