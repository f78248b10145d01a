/* SPDX-License-Identifier: Apache-2.0 */
/* Counters over time, as CSV with a line for each interval of a launch:
 *   samples.csv       launch,begin,end, then every counter of the SMs (sm.NAME, all SMs together) and of the memory system
 *                     (memory.NAME); their values of this interval alone
 *   samples.sm.csv    launch,begin,end,sm, then every counter of this SM
 * begin and end are core cycles since the start of the run, `end` is the first one after the interval. The intervals of a launch add up
 * to its counters in run.json. The files take their final names at the end of the run. */
#ifndef TANDEM_RUN_RUN_SAMPLES_H
#define TANDEM_RUN_RUN_SAMPLES_H

#include "gpu/gpu.h"
#include "run/session.h"

struct err;
struct run_samples;

/* *samples is NULL if the session wants none. */
int run_samples_create(const struct session *, struct run_samples **samples, struct err *);
struct gpu_sampler *run_samples_hook(struct run_samples *); /* NULL of NULL */
/* A launch begins: number `launch`, with the counters as they are. */
void run_samples_launch(struct run_samples *, struct gpu *, uint32_t launch);
/* Gives the files their final names, or removes them; frees the samples. */
int run_samples_finish(struct run_samples *, bool keep, struct err *);

/* histograms.csv: latency,unit,from,to,count,sum; a line for each bucket that is not empty, with values from..to. */
int run_histograms_write(const struct session *, const struct gpu *, struct err *);

#endif
