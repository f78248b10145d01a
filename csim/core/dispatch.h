/* SPDX-License-Identifier: Apache-2.0 */
/* CTA dispatch: assigns the CTAs of a launch to SMs. A proposal may provide a policy (system_ops.dispatch). The default
 * is round robin, at most one CTA per SM in a core cycle (gpu/dispatch.c). */
#ifndef TANDEM_CORE_DISPATCH_H
#define TANDEM_CORE_DISPATCH_H

#include "core/launch.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct block_factory;
struct err;
struct gpu;
struct gpu_config;
struct memory_counters;

struct dispatch_choice {
  uint64_t cta; /* index in the grid */
  uint32_t sm;
};

/* Services of the GPU for the policy. `gpu` is the first argument of each call. */
struct dispatch_services {
  struct gpu *gpu;
  struct block_factory *factory; /* makes the policy's blocks; NULL: their C models */
  struct memory_counters *counters;
  uint64_t
    *in_flight; /* the policy adds work of its own that a launch, or the host (driver_services.settle), waits for */
  const uint64_t *now; /* core cycle */
  /* The L2 slice of a device address, 0..dram.channels * l2.slices - 1. Each has a queue of requests of its own. */
  uint32_t (*input_of)(const struct gpu *, uint64_t address);
  /* Reads the L1 line at device address `address` for SM `sm`, whose proposal gets it with `tag` (system_ops.pushed). One request a
   * slice and core cycle. `around`: the L2 neither looks it up nor keeps it. False: the queue to its slice is full. Only with
   * dispatch_ops.requests. */
  bool (*request)(struct gpu *, uint64_t address, uint32_t sm, uint32_t tag, bool around);
  /* SM `sm` can take a CTA of the launch in this core cycle, and one is left. What next() is told; for cycle(). */
  bool (*has_room)(const struct gpu *, uint32_t sm);
  /* SM `sm` executes this core cycle: something that its proposal sees has changed. */
  void (*wake)(struct gpu *, uint32_t sm);
};

/* All calls come from one host thread, at core cycle `cycle`. Any pointer but create, destroy, launch and next may be
 * NULL. */
struct dispatch_ops {
  const char *name;
  bool requests; /* it reads lines for SMs: the request network has inputs for it */
  /* One instance per GPU. `agent`: the proposal's memory agent, or NULL. */
  void *(*create)(const struct gpu_config *, const struct dispatch_services *, void *agent, struct err *);
  void (*destroy)(void *self);
  /* A launch begins; no CTA is resident. */
  void (*launch)(void *self, const struct launch *, uint64_t cycle);
  /* Called at the beginning of an executed core cycle, before next(). Returns the first later cycle in which it has something to do
   * unless the policy is called before; UINT64_MAX: none. What it knows of SMs is of the cycle before. */
  uint64_t (*cycle)(void *self, uint64_t cycle);
  /* Called at the beginning of a core cycle while unstarted CTAs remain and an SM has room. Chooses one of these CTAs
   * and an SM of `room` (one bit per SM), and is called again with the rest; false: nothing more starts in this
   * cycle. */
  bool (*next)(void *self, const uint64_t *room, uint64_t cycle, struct dispatch_choice *);
  /* A CTA has left its SM in this cycle. */
  void (*ended)(void *self, struct dispatch_choice, uint64_t cycle);
  /* The launch is given up: its CTAs are gone, and no request may follow. */
  void (*abort)(void *self);
  /* Prints one line per item in flight, for deadlock reports. */
  void (*describe)(const void *self, FILE *);
  /* First cycle after `cycle` in which next() may start a CTA even if no SM gains room; UINT64_MAX, or a NULL pointer:
   * never. Earlier cycles are skipped when nothing else happens. */
  uint64_t (*wake)(const void *self, uint64_t cycle);
};

#endif
