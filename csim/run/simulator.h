/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated device: memory, GPU, co-simulation runtime, and the record of what ran. */
#ifndef TANDEM_RUN_SIMULATOR_H
#define TANDEM_RUN_SIMULATOR_H

#include "gpu/gpu.h"
#include "run/check_pace.h"
#include "run/launch_record.h"
#include "run/out_claim.h"
#include "run/recorders.h"
#include "run/run_access.h"
#include "run/run_database.h"
#include "run/run_konata.h"
#include "run/run_lines.h"
#include "run/run_samples.h"
#include "run/run_trace.h"
#include "run/session.h"
#include "run/snapshots.h"

/* RUN_INPUT: input was wrong, which the program may expect; RUN_REFUSED: it may be right, but is not supported here. */
enum run_outcome { RUN_CLEAN, RUN_INPUT, RUN_FAULT, RUN_DIVERGED, RUN_DEADLOCK, RUN_REFUSED };

struct simulator {
  struct session session;
  struct out_claim claim; /* of session.out_dir, which may be a folder in the one that was asked for */
  struct device_memory memory;
  struct dpi *dpi;
  struct gpu *gpu;
  struct gpu_observer observer;
  struct progress progress;
  struct check_pace pace;
  struct snapshots *snapshots;   /* or NULL */
  struct run_trace *trace;       /* or NULL */
  struct run_samples *samples;   /* or NULL */
  struct run_lines *lines;       /* or NULL */
  struct run_access *access;     /* or NULL */
  struct run_database *database; /* or NULL */
  struct recorders recorders;    /* of both */
  struct run_konata *konata;     /* or NULL */
  struct launch_record *launches;
  uint32_t n_launches, launches_max;
  uint64_t driver_cycles;    /* core cycles before launches, in which the proposal did what the driver asked of it */
  double host_seconds;       /* inside launches that were simulated in detail */
  double functional_seconds; /* inside the others */
  bool profiling;            /* between cuProfilerStart and cuProfilerStop */
  uint32_t matched[SESSION_DETAILS_MAX]; /* launches so far that a rule of session.details matches */
  enum run_outcome outcome;              /* the first thing that went wrong */
  char outcome_text[1024];
};

/* Builds the device that the environment describes. */
int simulator_create(struct simulator **, struct err *);
/* Simulates until the proposal has done everything that the driver asked of it. */
int simulator_settle(struct simulator *, struct err *);
/* Runs a kernel; afterwards outcome says what happened. */
int simulator_launch(struct simulator *, const struct ptx_kernel *, const uint32_t grid[3], const uint32_t block[3],
                     uint32_t dynamic_shared_bytes, const void *params, struct err *);
/* Notes the first thing that went wrong. */
void simulator_note(struct simulator *, enum run_outcome, const char *text);
/* What was executed functionally, in all, and in how many launches. */
uint32_t simulator_functional(const struct simulator *, struct functional_count *);
/* Simulated time since the start. */
uint64_t simulator_ns(const struct simulator *);
/* The share of the launches, in core cycles and in ns. */
uint64_t simulator_launch_cycles(const struct simulator *);
uint64_t simulator_launch_ns(const struct simulator *);
void simulator_destroy(struct simulator *);

/* Writes the wave, the recordings and the files below, and destroys the simulator. The first error is the one returned; a file
 * that cannot be written does not exist. */
int run_finish(struct simulator *, struct err *);

/* run.json of a simulator, into session.out_dir. */
int run_json_write(const struct simulator *, struct err *);
/* statistics.csv, the same counters a line each. */
int run_csv_write(const struct simulator *, struct err *);
/* kernels.csv: the counters of each launch by the names of Nsight Compute (run/kernel_metrics.h); KERNELS_HOST stands in the column in
 * which ncu names the host. */
#define KERNELS_HOST "tandem"
int run_kernels_write(const struct simulator *, struct err *);
/* events.csv: what each SM's CTAs did and when. */
int run_events_write(const struct simulator *, struct err *);
/* perfetto.json: launches, CTAs and cycles of blocks as a timeline. */
int run_perfetto_write(const struct simulator *, struct err *);
extern const char *const run_outcome_names[]; /* by enum run_outcome */

#endif
