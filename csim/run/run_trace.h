/* SPDX-License-Identifier: Apache-2.0 */
/* Requests as they arrive at the DRAM channels of a run, as CSV (study/dram_trace.h reads it):
 *   requests.csv       cycle,channel,bank,row,core,cta,address,kind; all channels; cycles are the DRAM's, kind R or W,
 *                      addresses physical (mmu.frames)
 *   requests.mcN.csv   bank,row; those of channel N
 * The files take their final names at the end of a run without a fault. */
#ifndef TANDEM_RUN_RUN_TRACE_H
#define TANDEM_RUN_RUN_TRACE_H

#include "dram/command.h"
#include "run/session.h"

#include <stdbool.h>

struct err;
struct run_trace;

/* *trace is NULL if the session wants none. The recorder lives as long as the trace. */
int run_trace_create(const struct session *, struct run_trace **trace, struct err *);
const struct dram_recorder *run_trace_recorder(const struct run_trace *); /* NULL: none */
/* Gives the files their final names, or removes them; frees the trace. */
int run_trace_finish(struct run_trace *, bool keep, struct err *);

#endif
