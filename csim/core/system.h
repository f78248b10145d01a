/* SPDX-License-Identifier: Apache-2.0 */
/* Proposals (--system): what a paper adds to a GPU. A proposal adds instructions and conditions at named points of the SM's pipeline
 * through the tables of this header; the core knows none by name. */
#ifndef TANDEM_CORE_SYSTEM_H
#define TANDEM_CORE_SYSTEM_H

#include "block/block.h"
#include "config/counters.h"
#include "config/gpu_config.h"
#include "core/coalescer.h"
#include "device/device_memory.h"
#include "ptx/ptx.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct barrel_hooks;
struct cache_policy;
struct config_owner;
struct dispatch_ops;
struct driver_hooks;
struct memory_agent_ops;
struct sm;
struct sm_pipeline;

/* What the SM offers its system. All calls are for the current core cycle. */
struct sm_services {
  struct sm *sm;
  /* MSHRs not in use now (demand and DMA share them: l1.mshrs). */
  uint32_t (*free_mshrs)(const struct sm *);
  /* True if the interconnect port takes a request now: it has room and the memory unit does not use it this cycle. */
  bool (*port_free)(const struct sm *);
  /* Sends a read of `bytes` at device address `address` (within one line) and takes an MSHR for it; returns its number.
   * Only when port_free and free_mshrs > 0. The reply comes as fill(..., mshr); the MSHR is reusable the cycle after. */
  uint32_t (*request)(struct sm *, uint64_t address, uint32_t bytes);
  /* True if the shared memory port is free in this cycle (no fill, no warp access). */
  bool (*shared_port_free)(const struct sm *);
  /* Takes the shared memory port for `cycles` cycles from now (fills and constants). */
  void (*take_shared_port)(struct sm *, uint32_t cycles);
  /* Tells of a copy by the system into shared memory of CTA slot `cta`: it begins in this cycle; it has ended (core cycles of
   * its ignition, its last request, its last write). May be NULL. */
  void (*copy_begins)(struct sm *, uint32_t cta);
  void (*copy_ended)(struct sm *, uint32_t cta, uint32_t buffer, uint64_t ignition, uint64_t last_request,
                     uint64_t last_write);
  /* Ends the launch: hardware warp `warp` broke `rule` with the operation of PTX line `line` (0: the one it is at). The first
   * fault counts. May be NULL. */
  void (*fault)(struct sm *, uint32_t warp, uint32_t line, const char *rule);
  /* Sends the system's part beyond the SMs a packet of `bytes` (mem/agent.h); `tag` 0..255 comes back with command_done.
   * Only when port_free. */
  void (*command)(struct sm *, uint32_t tag, uint32_t bytes);
  /* Asks for the L1 line at device address `address` ahead of demand; its priority in the cache is as of l1_choice. It leaves when
   * the interconnect port is idle, and is dropped if the line is there or on its way by then. False: the queue is full. */
  bool (*prefetch)(struct sm *, uint64_t address, uint8_t priority);
  void *agent;     /* that part, or NULL */
  uint8_t *shared; /* the SM's whole shared memory, sm.shared_bytes */
  struct device_memory *memory;
  struct sm_counters *counters;
  const uint64_t *now; /* core cycle */
};

/* One extension instruction (ptx_extension) at issue. */
struct extension_call {
  uint16_t code;
  uint32_t cta, warp; /* CTA slot, hardware warp of the SM */
  uint32_t lane;      /* lowest active lane, whose operands count */
  uint64_t args[PTX_EXTENSION_ARGS_MAX];
  uint32_t shared_base, shared_bytes; /* the CTA's slice of shared memory */
  uint32_t line;                      /* PTX line, for messages */
};
enum extension_result {
  EXTENSION_DONE, /* executed, the warp goes on */
  EXTENSION_WAIT  /* not executed: PC stays, the warp waits until the system unblocks it */
};

/* An access to global or local memory that goes by way of L1, as it enters the load/store unit. */
struct l1_access {
  const struct ptx_op *op;
  const struct segment *segment; /* the lines that it touches */
  uint32_t segments;
  uint32_t cta, warp; /* CTA slot, hardware warp of the SM */
  bool store, atomic; /* else a load */
};
/* What a load of it does; stores and atomics leave L1 alone. */
struct l1_choice {
  bool bypass;      /* L1 is neither looked up nor filled */
  uint8_t priority; /* of the lines that it fills (core/cache.h) */
};

/* The points of a scoreboard pipeline. Any pointer may be NULL. */
struct scoreboard_hooks {
  /* Issue: hardware warps that may not issue now. */
  uint64_t (*blocked)(const void *self);
  /* Issue: an extension instruction; at most one a cycle of an SM. Wanted when system_ops has extensions. */
  enum extension_result (*extension)(void *self, const struct extension_call *);
  /* Issue: does a shared access of this CTA need the check? Then shared_query is called in its issue cycle, the access is
   * held for one cycle, and `squash` is asked after the next cycle() ... */
  bool (*shared_needs_check)(const void *self, uint32_t cta, bool store);
  /* lo..hi: shared byte addresses of the SM (hardware addresses), inclusive. At most one a cycle. */
  void (*shared_query)(void *self, uint32_t cta, uint32_t warp, uint32_t lo, uint32_t hi, bool store);
  /* ... whether the access queried one cycle ago is squashed: the PC is rewound, nothing was performed. */
  bool (*squash)(void *self);
  /* Every live warp of the CTA waits (barrier or blocked): a chance to break a deadlock; true if something changed. */
  bool (*all_blocked)(void *self, uint32_t cta);
};

/* A proposal. Every pointer but name, brief, owner, create and destroy may be NULL. One instance an SM. */
struct system_ops {
  const char *name, *brief;
  struct config_owner *owner;                 /* its parameters, counters, checks, stall classes */
  const struct sm_pipeline *const *pipelines; /* that it adds to sm.pipeline; NULL-terminated */
  const struct ptx_extension *extensions;     /* NULL-name terminated */
  const struct memory_agent_ops *agent;       /* the part beyond the SMs, one a GPU, created before the first SM */
  const struct dispatch_ops *dispatch;        /* CTA dispatch, one a GPU, created after the agent (core/dispatch.h) */
  const struct cache_policy *l1_policy;       /* which line leaves L1 (core/cache.h); NULL: LRU */
  const struct driver_hooks *driver;          /* calls of its own for host programs: systems/driver.h */
  /* The points at which it takes part in pipelines of each kind; one that has neither kind's runs on both. */
  const struct scoreboard_hooks *scoreboard;
  const struct barrel_hooks *barrel; /* declared with the barrel pipelines */

  /* `path` is the SM's ("sm3"); the instance's blocks are named below it ("sm3.NAME.part"). */
  void *(*create)(const struct gpu_config *, struct block_factory *, const char *path, uint32_t sm_index,
                  const struct sm_services *, struct err *);
  void (*destroy)(void *self);
  /* A kernel is launched; nothing is in flight. */
  int (*launch)(void *self, const struct ptx_kernel *, struct err *);
  /* CTA `index` of the grid starts in slot `cta` with hardware warps `warps`; it owns shared bytes [base, base+bytes). */
  void (*cta_start)(void *self, uint32_t cta, uint64_t index, uint64_t warps, uint32_t base, uint32_t bytes);
  void (*cta_end)(void *self, uint32_t cta); /* the slot is free */
  void (*warp_exit)(void *self, uint32_t cta, uint32_t warp);
  bool (*cta_may_retire)(void *self, uint32_t cta); /* false: something of the CTA is in flight */
  /* Every core cycle in which `busy` holds or one of the calls above was made; after the LSU and the issue stage. */
  void (*cycle)(void *self);
  bool (*busy)(const void *self); /* a cycle() without new calls would do something */
  /* An access to memory enters the load/store unit. */
  struct l1_choice (*access)(void *self, const struct l1_access *);
  /* The reply to request number `mshr`. */
  void (*fill)(void *self, uint32_t mshr);
  /* A line that no MSHR asked for has arrived (memory_services.push); true, or a NULL pointer: it goes into L1. */
  bool (*pushed)(void *self, uint64_t address);
  /* The command `tag` has been taken. */
  void (*command_done)(void *self, uint32_t tag);
  /* One line a thing in flight, for deadlock reports. */
  void (*describe)(const void *self, FILE *);
};

#endif
