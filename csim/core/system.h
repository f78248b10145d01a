/* SPDX-License-Identifier: Apache-2.0 */
/* Proposals (--system): what a paper adds to a GPU. A proposal adds instructions and hooks at named points of the SM's
 * pipeline through the tables of this header; the core knows no proposal by name. */
#ifndef TANDEM_CORE_SYSTEM_H
#define TANDEM_CORE_SYSTEM_H

#include "block/block.h"
#include "config/counters.h"
#include "config/gpu_config.h"
#include "core/coalescer.h"
#include "device/device_memory.h"
#include "mem/request.h"
#include "mem/zones.h"
#include "ptx/ptx.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct barrel_hooks;
struct cache;
struct cache_policy;
struct config_owner;
struct context_hooks;
struct dispatch_ops;
struct driver_hooks;
struct launch;
struct memory_agent_ops;
struct next_line;
struct sm;
struct sm_pipeline;

enum { SM_NO_WARP = UINT16_MAX }; /* in place of a warp slot */

/* Services of the SM for its proposal. All calls refer to the current core cycle. */
struct sm_services {
  struct sm *sm;
  /* Free MSHRs; demand misses and the proposal share them (l1.mshrs). */
  uint32_t (*free_mshrs)(const struct sm *);
  /* True if the interconnect port accepts a request: it has room and the load/store unit does not use it in this
   * cycle. */
  bool (*port_free)(const struct sm *);
  /* Sends a read of `bytes` at device address `address` (within one line); allocates an MSHR and returns its number.
   * Requires port_free and free_mshrs > 0. The reply arrives as fill(..., mshr); the MSHR is reusable in the next
   * cycle. */
  uint32_t (*request)(struct sm *, uint64_t address, uint32_t bytes);
  /* True if the shared memory port is free in this cycle (no fill, no warp access). */
  bool (*shared_port_free)(const struct sm *);
  /* Occupies the shared memory port for `cycles` cycles from now on (fills and constants). */
  void (*take_shared_port)(struct sm *, uint32_t cycles);
  /* Reports a staging copy by the proposal for CTA slot `cta`: it begins in this cycle; it has ended (core cycles of
   * its ignition, its last request, its last write). May be NULL. */
  void (*copy_begins)(struct sm *, uint32_t cta);
  void (*copy_ended)(struct sm *, uint32_t cta, uint32_t buffer, uint64_t ignition, uint64_t last_request,
                     uint64_t last_write);
  /* Ends the launch: hardware warp `warp` broke `rule` with the operation of PTX line `line` (0: its current one). Only
   * the first fault is reported. May be NULL. */
  void (*fault)(struct sm *, uint32_t warp, uint32_t line, const char *rule);
  /* Sends a packet of `bytes` to the proposal's memory agent (mem/agent.h); command_done returns `tag` 0..255. Requires
   * port_free. */
  void (*command)(struct sm *, uint32_t tag, uint32_t bytes);
  /* Prefetches the L1 line at device address `address`; `priority` as in l1_choice. The prefetch is sent when the
   * interconnect port is idle, and dropped if the line is present or in flight by then. `warp`: the slot of the one that it is for, or
   * SM_NO_WARP. False: the queue is full. */
  bool (*prefetch)(struct sm *, uint64_t address, uint8_t priority, uint32_t warp);
  /* How many of them wait to be sent, or dropped. */
  uint32_t (*prefetches)(const struct sm *);
  /* The access to L1 that the load/store unit takes up next, if it has one: system_ops.line is called for it in the next core cycle or
   * later. A load is seen in the cycle() of the core cycle in which it issues; stores and atomics enter the unit after that. */
  bool (*next_line)(const struct sm *, struct next_line *);
  /* Loads or stores the line at device address `address` through L1, in the order of the load/store unit's queue. A load is reported by
   * context_hooks.line_loaded with `tag`. False: the queue is full; a place is then kept for the next try. */
  bool (*line)(struct sm *, uint64_t address, bool store, uint32_t tag);
  /* The loads of the reply that keeps_reply kept in MSHR `mshr` go on: their line is in L1, which they access now. False: L1 has answered
   * others in this cycle; try again. */
  bool (*release)(struct sm *, uint32_t mshr);
  /* Sends a write of `bytes` bytes at device address `address`, within a line; the memory agent sees `tag`. Requires port_free. */
  void (*write)(struct sm *, uint64_t address, uint32_t bytes, uint32_t tag);
  /* With more contexts than slots (core/contexts.h): gives the warp a slot and returns it, or SM_NO_WARP if all are taken; takes the slot of a
   * warp, which must not have an operation under way. */
  uint32_t (*seat)(struct sm *, uint32_t warp);
  void (*unseat)(struct sm *, uint32_t slot);
  /* Whether no warp waits for the decoder (core/fetch.h); takes it in the next cycle. */
  bool (*decoder_free)(const struct sm *);
  void (*take_decoder)(struct sm *);
  const struct launch *launch; /* the running one (core/launch.h) */
  void *agent;                 /* the memory agent, or NULL */
  void *dispatch;              /* the CTA dispatch policy, or NULL: the default one */
  uint8_t *shared;             /* the SM's whole shared memory, sm.shared_bytes */
  struct device_memory *memory;
  struct sm_counters *counters;
  const uint64_t *now; /* core cycle */
};

/* An access to L1 that comes, for system_ops.line. */
struct next_line {
  uint64_t number;             /* of the segment; none of the SM has the same */
  const struct segment *where; /* valid until the SM's next cycle */
  enum mem_kind kind;
};

/* An extension instruction (ptx_extension) at issue. */
struct extension_call {
  uint16_t code;
  uint32_t cta, warp; /* CTA slot, hardware warp of the SM */
  uint32_t lane;      /* lowest active lane, which supplies the operands */
  uint64_t args[PTX_EXTENSION_ARGS_MAX];
  const struct ptx_op *op; /* of all lanes that execute it, `mask`: ptx_source, ptx_set_result */
  struct ptx_warp *f;
  uint32_t mask;
  uint32_t shared_base, shared_bytes; /* the CTA's slice of shared memory */
  uint32_t line;                      /* PTX line, for messages */
};
enum extension_result {
  EXTENSION_DONE, /* executed, the warp continues */
  EXTENSION_WAIT  /* not executed: the PC stays, and the warp waits until the proposal unblocks it */
};

/* An access to global or local memory through L1, as it enters the load/store unit. */
struct l1_access {
  const struct ptx_op *op;
  const struct ptx_access *lanes; /* what each lane accesses */
  const struct segment *segment;  /* the lines that it touches */
  uint32_t segments;
  uint64_t number;    /* of the first segment (next_line.number); the others follow */
  uint32_t cta, warp; /* CTA slot, hardware warp of the SM */
  bool store, atomic; /* else a load */
};
/* How a load uses L1; stores and atomics never access L1. */
struct l1_choice {
  bool bypass;      /* L1 is neither looked up nor filled */
  uint8_t priority; /* of the lines that it fills (core/cache.h) */
};

/* A load that looks up its line in L1: what that chooses in place of l1_choice, and what became of it. MERGED: the line is under way. */
struct l1_insertion {
  bool none;        /* a miss fills nothing */
  uint8_t priority; /* of the line that it fills (core/cache.h) */
};
enum l1_outcome { L1_HIT, L1_MERGED, L1_MISS };

/* Hooks of L1's tags. In a core cycle L1 is filled at most once, and after that looked up at most once. */
struct l1_hooks {
  /* A load looks up the line at this device address; asked again while L1 has no room for its miss. */
  struct l1_insertion (*look)(void *self, uint64_t line);
  /* It is done with; `way` of a hit. */
  void (*looked_up)(void *self, uint64_t line, enum l1_outcome, uint32_t way);
};

/* Lines that L1 has in fewer bytes than line_bytes, with more tags than room for whole lines (core/cache.h). */
enum { L1_EXPANDS = UINT32_MAX };
struct l1_packing {
  /* Tags of a set for each line of which it has room; 1: L1 is as without this, and nothing else is called. */
  uint32_t (*tags)(const struct gpu_config *);
  /* Bytes of its set that a line takes whose reply had so many of data, fewer than line_bytes. */
  uint32_t (*takes)(const void *self, uint32_t packed);
  /* The line of MSHR `mshr` (MSHR_NONE: it was pushed) is at index `at` of L1's tags; `packed` as above, 0: all; `lines` are in L1. */
  void (*filled)(void *self, uint32_t mshr, uint32_t packed, uint32_t at, uint32_t lines);
  /* A load of a warp finds the line at `at`: cycles that it takes longer, or L1_EXPANDS: it waits, with others of the line, as for a reply
   * that keeps_reply has kept. Asked again while there is no MSHR. */
  uint32_t (*hit)(void *self, uint32_t at);
  /* The line at `at`, for which MSHR `mshr` was taken and `warp` waits, is to be expanded: until sm_services.release. L1 keeps it. */
  void (*expand)(void *self, uint32_t mshr, uint32_t at, uint32_t warp);
};

/* What a proposal says of a line that a warp accesses. BUSY: the access is tried again in the next cycle. TAKEN: of a write, which the
 * proposal sends itself, later (sm_services.write). */
enum line_answer { LINE_ELSEWHERE, LINE_HERE, LINE_BUSY, LINE_TAKEN };

/* A warp's access to shared memory that needs a check. */
struct shared_query {
  uint32_t cta, warp;           /* CTA slot, hardware warp of the SM */
  uint32_t mask;                /* active lanes, at least one */
  uint32_t bytes;               /* of a lane, 1..16 */
  uint16_t address[WARP_LANES]; /* first byte of each active lane in the SM's shared memory; at most 65535 */
  bool store;
};

enum { SHARED_CHECK_CYCLES_MAX = 4 };

/* An operation of the proposal's own, and what it takes beside an issue slot. L1: a cycle of L1's port. */
enum own_operation { OWN_NONE, OWN_PLAIN, OWN_L1 };

/* Hooks of a scoreboard pipeline. Any pointer may be NULL. */
struct scoreboard_hooks {
  /* Cycles from shared_query to squash, 1..SHARED_CHECK_CYCLES_MAX; needed with shared_needs_check. */
  uint32_t check_cycles;
  /* Issue: hardware warps that may not issue in this cycle. */
  uint64_t (*blocked)(const void *self);
  bool keeps; /* a warp that blocked() no longer names issues at once; else it fetches its operation again */
  /* The stall class of warps that blocked() names (config_owner.first_stall and on); NULL: STALL_PROPOSAL. */
  uint32_t (*stall)(const void *self);
  /* Issue: scheduler `scheduler`, whose warps are those w with w % schedulers == scheduler, has a slot for an operation of the proposal's
   * own. It is asked before a warp is looked for (`idle`: false), and again if no warp is ready. `l1`: one of OWN_L1 is possible; the
   * load/store unit then takes no operation in this cycle and accesses no line in the next. */
  enum own_operation (*own)(void *self, uint32_t scheduler, bool idle, bool l1);
  /* Issue: an extension instruction; at most one per SM and cycle. Required if system_ops has extensions. */
  enum extension_result (*extension)(void *self, const struct extension_call *);
  /* Issue: true if a shared access of this CTA needs a check. Then shared_query is called in the issue cycle, the
   * access is held for check_cycles cycles, and squash is called after the cycle() of the last. */
  bool (*shared_needs_check)(const void *self, uint32_t cta, bool store);
  /* Starts the check. At most one per cycle. */
  void (*shared_query)(void *self, const struct shared_query *);
  /* True if the access queried check_cycles cycles ago is squashed: the PC is rewound and nothing is performed. */
  bool (*squash)(void *self);
  /* Called when every live warp of the CTA waits (at a barrier or blocked), to resolve deadlocks; true if anything
   * changed. */
  bool (*all_blocked)(void *self, uint32_t cta);
};

/* A condition of the SM that has lasted for some cycles, all of them with a CTA resident. */
struct sm_condition {
  uint32_t warps;  /* that can run: they have not exited, wait at no barrier, and are not blocked */
  bool issued;     /* an operation was issued */
  bool structural; /* none, because the pipeline did not take it */
  bool memory;     /* a warp that can run waits for memory */
  bool all_memory; /* every warp that can run waits for memory, or the load/store unit waits for it */
  bool lsu_full;   /* the queue of the load/store unit */
  uint32_t idle;   /* issue slots for which no warp was ready, and which the proposal did not take */
};

/* A proposal. Every pointer but name, brief, owner, create and destroy may be NULL. One instance per SM. */
struct system_ops {
  const char *name, *brief;
  struct config_owner *owner;                 /* its parameters, counters, checks, stall classes */
  const struct sm_pipeline *const *pipelines; /* pipelines that it adds to sm.pipeline; NULL-terminated */
  const struct ptx_extension *extensions;     /* NULL-name terminated */
  const struct memory_agent_ops *agent;       /* memory agent, one per GPU, created before the first SM */
  const struct dispatch_ops *dispatch;        /* CTA dispatch, one per GPU, created after the agent (core/dispatch.h) */
  const struct cache_policy *l1_policy;       /* L1 replacement policy (core/cache.h), called with `self`; NULL: LRU */
  const struct l1_hooks
    *l1; /* if it has them, its prefetches count as those of L1's prefetcher do (l1_prefetches, ..) */
  const struct l1_packing *l1_packing;
  const struct driver_hooks *driver; /* its calls for host programs (systems/driver.h) */
  /* What it asks for when kernels are loaded, beside what the configuration says: phases, for example. */
  void (*load)(const struct gpu_config *, struct ptx_options *);
  /* Its hooks in each kind of pipeline; a proposal with neither runs on both kinds. */
  const struct scoreboard_hooks *scoreboard;
  const struct barrel_hooks *barrel;    /* declared with the barrel pipelines */
  const struct context_hooks *contexts; /* core/contexts.h */
  /* Watching: whether the next two are called; both are then needed. An operation of the warp is executed, `whole`: by every lane that has
   * not exited. It accesses shared memory, in the CTA's slice that begins at byte `base` of the SM's. */
  bool (*watches)(const struct gpu_config *);
  void (*touched)(void *self, uint32_t warp, const struct ptx_op *, bool whole);
  void (*touched_shared)(void *self, uint32_t base, const struct ptx_access *);
  /* Device memory that it needs for itself, in bytes; the driver allocates it before the first launch (struct launch.space). */
  uint64_t (*space)(const struct gpu_config *);

  /* `path` is the SM's ("sm3"); the instance's blocks are named below it ("sm3.NAME.part"). */
  void *(*create)(const struct gpu_config *, struct block_factory *, const char *path, uint32_t sm_index,
                  const struct sm_services *, struct err *);
  void (*destroy)(void *self);
  /* A kernel launch begins; nothing is in flight. */
  int (*launch)(void *self, const struct ptx_kernel *, struct err *);
  /* CTA `index` of the grid starts in slot `cta` with hardware warps `warps`; it owns shared bytes [base,
   * base+bytes). */
  void (*cta_start)(void *self, uint32_t cta, uint64_t index, uint64_t warps, uint32_t base, uint32_t bytes);
  void (*cta_end)(void *self, uint32_t cta); /* the slot is free */
  void (*warp_exit)(void *self, uint32_t cta, uint32_t warp);
  bool (*cta_may_retire)(void *self, uint32_t cta); /* false: the CTA still has work in flight */
  /* Whether warps are admitted one by one in this launch; NULL: not. If not, a CTA comes when the SM has room for all of it
   * (core/occupancy.h). If so, it comes when its shared memory, a CTA slot and the slot of one warp are free, warp_may_start says so, and
   * every warp of the CTAs before it has started. The others of its warps start when a slot is free and warp_may_start says so,
   * lowest index first. The slot of a warp that has exited is free when its loads have come. */
  bool (*admits_warps)(const void *self);
  bool (*warp_may_start)(const void *self, uint32_t warps);                /* while so many warps have a slot */
  void (*warp_start)(void *self, uint32_t cta, uint32_t warps, bool late); /* warps: with it; late: after its CTA */
  /* Called after the LSU and the issue stage in every core cycle in which busy() holds or a call above was made. */
  void (*cycle)(void *self);
  bool (*busy)(const void *self); /* true if cycle() has work without new calls */
  /* The SM was in this condition for so many cycles, the last of which is this one, or the one before a cycle that is executed. */
  void (*ran)(void *self, const struct sm_condition *, uint64_t cycles);
  /* First core cycle after this one in which busy() will hold although nothing is called before; UINT64_MAX: none. NULL: none. */
  uint64_t (*wake)(const void *self);
  /* An access to memory enters the load/store unit. */
  struct l1_choice (*access)(void *self, const struct l1_access *);
  /* A part of an access that uses L1 (kind: MEM_READ, MEM_WRITE, MEM_ATOMIC) has all it needs and is about to be made. A read that the
   * proposal has HERE neither looks up nor fills L1; its data come as from shared memory. Writes and atomics go on
   * to the L2, unless a write is TAKEN or BUSY. Reads are asked again while L1 has no room for their miss. */
  enum line_answer (*line)(void *self, enum mem_kind kind, const struct segment *);
  /* It has writes that it took and has not sent: a launch waits for them. */
  bool (*holds)(const void *self);
  /* Registers that it adds to those of each thread, in the next launch. */
  uint32_t (*registers)(const struct gpu_config *, void *agent);
  /* Bytes of L1 that it takes for itself, whole sets. */
  uint64_t (*l1_bytes)(const struct gpu_config *);
  /* Whether the proposal has the line at device address `address`, so that a prefetcher need not send for it. */
  bool (*has_line)(const void *self, uint64_t address);
  /* Of several modules: where the page's map, one of a bit, has this physical address (mem/zones.h). NULL: as zones.h has it. Called
   * once a core cycle at most, for the request that the SM sends, after cycle(). */
  struct zone_place (*place)(void *self, uint64_t physical, uint32_t map);
  /* A write that the SM sends: data bytes that travel, 1..bytes (mem/packing.h). It reads memory, and is called by SMs side by side. */
  uint32_t (*packs)(void *self, const struct mem_request *);
  /* A reply has come for which loads wait in MSHR `mshr` of L1, `warp` the first of them; or a line that was prefetched for `warp`, if L1 has
   * lines whole. True: the proposal keeps it. The loads wait on, others join them, and L1 does not have the line, until
   * sm_services.release; after a fault, release does nothing. */
  bool (*keeps_reply)(void *self, uint32_t mshr, const struct mem_request *, uint32_t warp);
  /* The answer to a write with a tag of SM_WRITE_TAG and on (core/cache.h). MEM_READ: it was refused, and this is its line. */
  void (*answered)(void *self, const struct mem_request *);
  /* The reply to request number `mshr`. */
  void (*fill)(void *self, uint32_t mshr);
  /* A line without an MSHR has arrived: the dispatcher has asked for it with `tag` (dispatch_services.request), or the memory agent has
   * sent it, tag 0 (memory_services.push). True, or a NULL pointer: it fills L1. */
  bool (*pushed)(void *self, uint64_t address, uint32_t tag);
  /* The memory agent has accepted command `tag`. */
  void (*command_done)(void *self, uint32_t tag);
  /* Prints one line per item in flight, for deadlock reports. */
  void (*describe)(const void *self, FILE *);
};

#endif
