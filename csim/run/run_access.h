/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of memory traffic above DRAM as CSV (mem/recorder.h); traces of DRAM are run/run_trace.h.
 *   accesses.smN.csv       cycle,cta,kind,cache,address,bytes,outcome   what the load/store unit of SM N processes; core cycles
 *   packets.request.csv    cycle,from,to,flits                          packets of the SMs to the slices; interconnect cycles
 *   packets.reply.csv      the same back (study/noc_trace.h reads both)
 *   requests.l2.csv        cycle,slice,core,cta,kind,address,bytes,outcome   requests that slices take; L2 cycles; core is an SM
 * kind is R, W or A (atomic); an empty core or cta means none. The files take their final names at the end of a run without a fault. */
#ifndef TANDEM_RUN_RUN_ACCESS_H
#define TANDEM_RUN_RUN_ACCESS_H

#include "run/session.h"

struct err;
struct mem_recorder;
struct run_access;

/* *access is NULL if the session wants none. */
int run_access_create(const struct session *, struct run_access **access, struct err *);
const struct mem_recorder *run_access_recorder(const struct run_access *); /* NULL of NULL */
/* Gives the files their final names, or removes them; frees the traces. */
int run_access_finish(struct run_access *, bool keep, struct err *);

#endif
