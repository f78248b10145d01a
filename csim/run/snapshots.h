/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of a run in lockstep: copies of the process (fork) that sleep. When a block diverges, one of them runs again up to there and
 * a little further, with the wave of the GPU. Two are kept; nothing is written before. A snapshot never outlives a launch, because a host program
 * acts between launches. Where a copy costs too much for so short a run there is none; a workload of the list then runs again as a whole, in
 * a process of its own. */
#ifndef TANDEM_RUN_SNAPSHOTS_H
#define TANDEM_RUN_SNAPSHOTS_H

#include "gpu/gpu.h"
#include "run/session.h"

struct snapshots;

/* *out is NULL if the run has none: nothing in lockstep, no output folder, a wave anyway, or --snapshot 0. */
int snapshots_create(const struct session *, struct dpi *, struct snapshots **out, struct err *);
void snapshots_destroy(struct snapshots *); /* NULL: nothing */
/* For the GPU's setup; NULL if there are no snapshots. */
struct gpu_snapshots *snapshots_hook(struct snapshots *);
void snapshots_begin(struct snapshots *, struct gpu *); /* a launch begins */
/* The launch has ended, and with it its snapshots, unless a block diverged. In a copy, which has then gone as far as it can, this does not
 * return. */
void snapshots_end(struct snapshots *, bool diverged);
/* After the report of a divergence: has the wave of the GPU made, and says on `to` where it is, or why there is none. */
void snapshots_rerun(struct snapshots *, FILE *to);
/* How many were taken, and the processor time that they cost, pages that are written after them included. */
uint32_t snapshots_taken(const struct snapshots *, double *seconds);
/* The processor time in which a copy ran again with waves; 0 if none did. */
double snapshots_rerun_seconds(const struct snapshots *);

#endif
