/* SPDX-License-Identifier: Apache-2.0 */
/* One streaming multiprocessor: resident CTAs and warps, schedulers, scoreboards, load/store unit, L1, shared memory.
 *
 * Order inside a core cycle: replies and fills; completed results; load/store unit; issue; the proposal's cycle; the answer
 * to the shared access held from the cycle before. A global load reads at issue; a global store or atomic is performed at
 * the end of the cycle. assumption: no access sees a store of its own cycle, and the stores of one cycle are ordered by SM. */
#ifndef TANDEM_CORE_SM_H
#define TANDEM_CORE_SM_H

#include "block/probe.h"
#include "core/cta.h"
#include "core/events.h"
#include "core/launch.h"
#include "core/system.h"
#include "mem/memory_system.h"

/* How many CTAs of the kernel fit an SM: warps, threads, CTA slots, registers, shared memory. 0 and ERR_LIMIT when one
 * does not fit (the sentence says which limit). */
uint32_t sm_occupancy(const struct gpu_config *, const struct ptx_kernel *, uint32_t threads_per_cta,
                      uint32_t dynamic_shared_bytes, struct err *);

struct sm *sm_create(const struct gpu_config *, uint32_t index, struct memory_system *, struct device_memory *,
                     const struct system_ops *ops /* or NULL */, struct block_factory *, struct probe_sink *,
                     const uint64_t *now, struct err *);
void sm_destroy(struct sm *);

/* Prepares for a launch: sizes the warp register files (the one place that may allocate). */
int sm_launch(struct sm *, const struct launch *, struct err *);
/* Forgets CTAs, warps and what they wait for, after a fault. Replies still on their way are dropped. */
void sm_abort(struct sm *);
uint32_t sm_resident_ctas(const struct sm *);
/* Executes core cycle *now; returns work done (0: nothing happened). It changes nothing outside of this SM and reads what
 * others change only in sm_commit: SMs may run side by side in several host threads. */
uint32_t sm_cycle(struct sm *);
/* After sm_cycle of every SM, one SM after the other: sends the request, takes the reply off the interconnect, performs the
 * global store or atomic of the cycle. */
bool sm_commit(struct sm *); /* false: a fault */
bool sm_must_commit(const struct sm *);
/* Before sm_commit: the CTAs that left the SM in this cycle. */
const uint64_t *sm_ended_ctas(const struct sm *, uint32_t *n);
/* First cycle >= *now at which sm_cycle could do anything but repeat the stall it just counted; UINT64_MAX: only a reply
 * wakes it. It may be earlier if a reply comes or, while sm_waits_for_port, when the interconnect has room again. */
uint64_t sm_next_cycle(const struct sm *);
bool sm_waits_for_port(const struct sm *);
/* Counts `n` skipped cycles exactly as n calls of sm_cycle would have. */
void sm_skip(struct sm *, uint64_t n);
bool sm_idle(const struct sm *); /* no CTA, nothing in flight */
const struct sm_counters *sm_counters(const struct sm *);
void sm_reset_counters(struct sm *);
/* First functional fault of the launch, or "" (kernel, PTX line, thread, address). */
const char *sm_fault(const struct sm *);
void sm_describe(const struct sm *, FILE *);

#endif
