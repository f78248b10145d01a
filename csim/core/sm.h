/* SPDX-License-Identifier: Apache-2.0 */
/* One streaming multiprocessor: resident CTAs and warps, schedulers, scoreboards, load/store unit, L1, shared memory.
 *
 * Order in a core cycle: replies and fills; completed results; load/store unit; issue; the proposal's cycle; the check
 * result of the shared access held since the previous cycle. A global load reads its values at issue; a global store or
 * atomic is performed at the end of the cycle. assumption: no access sees a store of its own cycle, and the stores of
 * one cycle are ordered by SM. */
#ifndef TANDEM_CORE_SM_H
#define TANDEM_CORE_SM_H

#include "block/probe.h"
#include "core/cta.h"
#include "core/events.h"
#include "core/launch.h"
#include "core/system.h"
#include "core/waits.h"
#include "mem/memory_system.h"

/* Registers that a thread of the kernel takes: sm.thread_registers, or what ptx.registers says. */
uint32_t sm_thread_registers(const struct gpu_config *, const struct ptx_kernel *);

/* Occupancy: CTAs of the kernel that fit in an SM, limited by warps, threads, CTA slots, registers and shared memory. 0
 * and ERR_LIMIT if not even one fits (the message names the limit). */
uint32_t sm_occupancy(const struct gpu_config *, const struct ptx_kernel *, uint32_t threads_per_cta,
                      uint32_t dynamic_shared_bytes, struct err *);
/* The same for a launch under a proposal (or NULL) with its memory agent, which may have another answer. */
uint32_t sm_fits(const struct system_ops *, void *agent, const struct gpu_config *, const struct ptx_kernel *,
                 uint32_t threads_per_cta, uint32_t dynamic_shared_bytes, struct err *);

/* What the SMs of a GPU are made from. */
struct sm_setup {
  const struct gpu_config *config;
  struct memory_system *memory;
  struct device_memory *device_memory;
  const struct system_ops *system; /* the proposal, or NULL */
  void *dispatch;                  /* its CTA dispatch policy, or NULL */
  struct block_factory *factory;
  struct probe_sink *probes; /* or NULL */
  const uint64_t *now;       /* core cycle */
};
struct sm *sm_create(const struct sm_setup *, uint32_t index, struct err *);
void sm_destroy(struct sm *);

/* Prepares for a launch: sizes the warp register files (only here may memory be allocated). */
int sm_launch(struct sm *, const struct launch *, struct err *);
/* After a fault: clears CTAs, warps and what they wait for. Outstanding replies are dropped. */
void sm_abort(struct sm *);
uint32_t sm_resident_ctas(const struct sm *);
/* Executes core cycle *now; returns the work done (0: nothing happened). It changes only this SM and reads only state
 * that others change in sm_commit, so SMs may run in parallel host threads. */
uint32_t sm_cycle(struct sm *);
/* Called for one SM after another when every SM has executed sm_cycle: sends the cycle's request, takes a reply off the
 * interconnect, performs the cycle's global store or atomic. */
bool sm_commit(struct sm *); /* false: a fault */
bool sm_must_commit(const struct sm *);
/* The CTAs that left the SM in this cycle; called before sm_commit. */
const uint64_t *sm_ended_ctas(const struct sm *, uint32_t *n);
/* First cycle >= *now in which sm_cycle could do more than repeat the stall it just counted; UINT64_MAX: only a reply
 * wakes it. A reply wakes it earlier, as does, while sm_waits_for_port, room in the interconnect. */
uint64_t sm_next_cycle(const struct sm *);
bool sm_waits_for_port(const struct sm *);
/* Counts `n` skipped cycles exactly as n calls of sm_cycle would. */
void sm_skip(struct sm *, uint64_t n);
bool sm_idle(const struct sm *); /* no CTA, nothing in flight */
const struct sm_counters *sm_counters(const struct sm *);
void sm_reset_counters(struct sm *);
/* Shows segments of accesses (mem/recorder.h); NULL: nobody. */
struct mem_recorder;
void sm_record_accesses(struct sm *, const struct mem_recorder *);

/* Shows every wait, in their order, by the host thread that simulates the SM; NULL: nobody. The last one is shown by sm_end_wait. */
void sm_record_waits(struct sm *, const struct wait_recorder *);
void sm_end_wait(struct sm *);
/* Shows every operation (core/steps.h), by that thread, too; NULL: nobody. */
struct step_recorder;
void sm_record_steps(struct sm *, const struct step_recorder *);

/* Keeps histograms of latencies from now on. */
int sm_record_latencies(struct sm *, struct err *);
const struct histogram *sm_latencies(const struct sm *); /* SM_LATENCIES of them (config/latencies.h), or NULL */
/* First functional fault of the launch, or "" (kernel, PTX line, thread, address). */
const char *sm_fault(const struct sm *);
void sm_describe(const struct sm *, FILE *);

#endif
