/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU: SMs, memory system, clock domains, CTA dispatch. */
#ifndef TANDEM_GPU_GPU_H
#define TANDEM_GPU_GPU_H

#include "gpu/functional.h"
#include "gpu/setup.h"

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

/* The same without time: values in device memory are those of gpu_run where the program does not depend on the order of CTAs
 * (gpu/functional.h). */
int gpu_run_functional(struct gpu *, const struct ptx_kernel *, const uint32_t grid[3], const uint32_t block[3],
                       uint32_t dynamic_shared_bytes, const void *params, struct functional_count *, struct err *);

/* In a copy of the process, from gpu_snapshots.take(): the launch goes on in this thread alone, beyond divergences, watched by `observer`;
 * nobody is told about it. */
void gpu_watch_alone(struct gpu *, struct gpu_observer *);

void gpu_set_space(struct gpu *, uint64_t address); /* struct launch.space of the launches that follow */
uint32_t gpu_ctas_per_sm(const struct gpu *);       /* resident CTAs that the last launch allows */
uint64_t gpu_core_cycles(const struct gpu *);       /* since creation */
uint64_t gpu_ticks(const struct gpu *);
const struct clocks *gpu_clocks(const struct gpu *);
uint32_t gpu_sm_count(const struct gpu *);
const struct event_row *gpu_events(const struct gpu *, uint32_t sm, uint32_t *n, uint64_t *lost);
const struct sm_counters *gpu_sm_counters(const struct gpu *, uint32_t sm); /* since creation */
/* Prints the `most` last operations of the SM issued in cycles up to `cycle`, the latest first, a line each; nothing if they are not noted or
 * there is no such SM. */
void gpu_print_operations(const struct gpu *, uint32_t sm, uint64_t cycle, uint32_t most, FILE *);
/* Cycles of all SMs by operation of the last launch's kernel, n_ops + 1 of them (core/lines.h), are added to sum; false: not counted. */
struct line_count;
bool gpu_line_counts(const struct gpu *, struct line_count *sum, uint32_t n);
/* Histograms by enum latency (config/latencies.h), LATENCIES of them, since creation; false: none are kept. */
struct histogram;
bool gpu_latencies(const struct gpu *, struct histogram *table);
void *gpu_agent(const struct gpu *);           /* the proposal's part beyond the SMs, or NULL */
void *gpu_dispatch_policy(const struct gpu *); /* the proposal's CTA dispatch policy, or NULL */
const struct memory_counters *gpu_memory_counters(struct gpu *);
struct page_table *gpu_pages(const struct gpu *); /* mem/page_table.h */

#endif
