/* SPDX-License-Identifier: Apache-2.0 */
/* The state of an SM, and the functions that its files share.
 *
 * A warp of a resident CTA has a context, struct sm_warp, and issues from a hardware slot. `w` is a slot everywhere. Sets of slots are
 * 64-bit masks; sets of a CTA's warps are 32-bit masks of their indices in the CTA. A proposal may have more contexts than there are slots;
 * a warp without one is in none of these masks (core/seats.c). A warp that may not issue yet is in one of these places:
 *   wheel      the cycle from which it may issue is known (results of fixed latency, L1 hits, branches, refetches),
 *   parked     it waits for a reply or for the load/store unit, which schedules it again,
 *   at_barrier it has arrived at a barrier,
 *   held       its shared access waits for the proposal's check,
 *   in_flight  its operation is in a barrel; it is scheduled when the operation has been written back,
 *   collecting its operation is issued, and waits until the proposal has its operands (core/collect.c).
 * Otherwise it is in `ready`; the proposal's blocked(), empty instruction buffers and busy units mask ready warps at issue. */
#ifndef TANDEM_CORE_SM_STATE_H
#define TANDEM_CORE_SM_STATE_H

#include "base/err.h"
#include "base/ring.h"
#include "config/latencies.h"
#include "config/stalls.h"
#include "core/cache.h"
#include "core/coalescer.h"
#include "core/contexts.h"
#include "core/fetch.h"
#include "core/launch.h"
#include "core/shared_memory.h"
#include "core/system.h"
#include "core/waits.h"
#include "mem/memory_system.h"

struct line_count;
struct probe_sink;

enum {
  SM_WARPS = 64,
  SM_CONTEXTS = 128,
  SM_CTAS = 32,
  SM_CTA_WARPS = 32,
  SM_SCHEDULERS = 4,
  SM_BARRIERS = PTX_BARRIERS,
  SM_WHEEL = 64
};
enum { SM_NONE = UINT16_MAX, SM_NO_SLOT = UINT8_MAX, SM_SHARED_GRAIN = 128 };

/* What a warp waits for. With several, the stall is classified by the first in this order. */
enum wait_kind {
  WAIT_DATA,
  WAIT_SHARED,
  WAIT_MEMORY,
  WAIT_TILE, /* a load of a staging copy */
  WAIT_KINDS
};

/* When a register may be read: cycle << 2 | enum wait_kind. The maximum over several registers is the last, with its
 * kind. */
typedef uint64_t ready_time;
#define READY_NEVER (UINT64_MAX >> 2)
static inline ready_time ready_at(uint64_t cycle, enum wait_kind kind) { return cycle << 2 | kind; }
static inline uint64_t ready_cycle(ready_time t) { return t >> 2; }

/* Units that, when busy, keep a ready warp from issuing. */
enum unit { UNIT_NONE, UNIT_ALU, UNIT_F64, UNIT_SFU, UNIT_MEMORY, UNIT_EXTENSION, UNIT_MATRIX, UNITS };

/* A warp of a resident CTA. What issue reads comes first, and takes two lines of the host's memory. */
struct sm_warp {
  _Alignas(64) const struct ptx_op *op; /* next operation */
  ready_time *ready;                    /* of each virtual register */
  uint64_t fetch;                       /* first cycle in which it may issue if its operands are ready */
  uint64_t wake;                        /* cycle until which it stays in the wheel */
  uint8_t cta, unit, slot;              /* slot: from which it issues, or SM_NO_SLOT */
  uint8_t number;                       /* of the context */
  bool exited;    /* its slot is free when its loads have come; only if slots are given to warps (sm.frees_slots) */
  uint32_t rest;  /* lanes of a partly executed generic access that remain; 0: not partly executed */
  uint32_t loads; /* outstanding ones */
  struct ptx_warp f;
  /* cp.async copies in flight: of the open group, of the last committed groups, of all older groups together */
  uint16_t copies[PTX_ASYNC_GROUPS + 2];
  uint32_t group; /* the open one */
};

struct sm_cta {
  struct ptx_cta f;
  bool resident;
  uint64_t index;                                   /* CTA index in the grid */
  uint32_t live;                                    /* warps that have not exited */
  uint32_t unstarted;                               /* of them, those that wait for a slot */
  uint32_t first_shared, shared_bytes;              /* its slice, rounded up to the allocation grain */
  uint32_t loads;                                   /* outstanding loads of its warps */
  uint32_t open_barriers;                           /* barriers with arrivals */
  uint32_t arrived[SM_BARRIERS], waits;             /* waits: warps at a barrier that wait for it */
  uint8_t barrier_of[SM_CTA_WARPS];                 /* where a warp of `waits` waits */
  uint32_t wanted[SM_BARRIERS];                     /* warps expected at a partial barrier; 0: all live warps */
  uint32_t votes[SM_BARRIERS], voters[SM_BARRIERS]; /* bar.red: lanes */
  uint32_t lanes_of[SM_CTA_WARPS];                  /* lanes that wait for its result */
  struct sm_warp *warp[SM_CTA_WARPS];
};

/* A load or an atomic whose registers are outstanding. */
struct sm_load {
  const struct ptx_op *op;
  struct sm_warp *warp; /* NULL: a line of the proposal, `tag` */
  uint64_t begun;       /* cycle in which it entered the load/store unit */
  uint64_t ready;       /* cycle in which the last part so far is complete */
  uint32_t remaining;   /* outstanding segments */
  uint16_t next_free;
  uint8_t kind; /* enum wait_kind */
  bool dead;    /* its CTA was killed */
  bool async;   /* cp.async of `group` */
  bool hit;     /* its last part was in the cache */
  uint32_t group, tag;
};

enum lsu_kind { LSU_SHARED, LSU_LOAD, LSU_STORE, LSU_ATOMIC };
struct lsu_entry {
  uint8_t kind;
  uint8_t cache;                            /* enum sm_cache */
  bool bypass;                              /* no cache lookup */
  uint8_t priority;                         /* of its lines in L1 */
  uint16_t load;                            /* index of the load, or SM_NONE */
  uint32_t n, next;                         /* segments */
  uint8_t tile;                             /* ptx_op.tile of a load or store of a staging copy, else 0 */
  uint8_t tile_cta, tile_copy, tile_serial; /* core/tiles.c */
  uint32_t cycles;                          /* cycles at the shared port */
  uint32_t cta;                             /* index in the grid */
  uint64_t banks;                           /* banks accessed, for memory_count_banks */
  struct segment segment[SEGMENTS_MAX];
};
enum lsu_wait { LSU_RUNS, LSU_WAITS_MSHR, LSU_WAITS_PORT };

/* The caches of an SM; a request's tag names the cache and its MSHR. Atomics and the proposal use MSHRs of L1. */
enum sm_cache { CACHE_L1, CACHE_CONST, CACHE_TEXTURE, SM_CACHES };

enum { SM_PREFETCHES = 16 };
struct sm_prefetch {
  uint64_t line; /* address */
  uint16_t warp; /* slot of the one that it is for, or SM_NO_WARP */
  uint8_t priority;
  bool own; /* of L1's prefetcher, not of the proposal */
};

/* A delayed access: a shared access that the proposal checks, or a global store or atomic that waits for the end of the
 * cycle. */
struct held {
  bool valid;
  uint32_t warp, mask;
  struct ptx_access access;
};

/* What became of an issue slot, in the order of the counters slots_*. NONE: no warp was ready. */
enum slot_use { SLOT_ACTIVE, SLOT_MEMORY, SLOT_COMPUTE, SLOT_DEPENDENCE, SLOT_IDLE, SLOT_USES, SLOT_NONE = SLOT_USES };

struct sm_scheduler_state {
  uint64_t owned;      /* warps */
  uint64_t busy_until; /* a multi-slot operation issues until then */
  uint64_t alu_free, matrix_free;
  uint32_t last; /* warp issued last */
  uint8_t slot;  /* enum slot_use: of the last cycle */
};

struct sm;

/* A scheduling policy: selects the warp of `candidates` (not empty) that scheduler `s` issues. */
struct sm_policy {
  const char *name;
  uint32_t (*pick)(const struct sm *, uint32_t s, uint64_t candidates);
};
extern const struct sm_policy sm_policies[]; /* indexed by sm.scheduler */

/* A pipeline: models issue to writeback and decides when a warp may issue again. */
struct sm_pipeline {
  const char *name;
  bool barrel;      /* which hooks of a proposal apply: barrel_hooks, else scoreboard_hooks */
  uint32_t variant; /* for the pipeline's use */
  int (*create)(struct sm *, struct block_factory *, struct err *); /* or NULL */
  void (*destroy)(struct sm *);                                     /* or NULL */
  void (*launch)(struct sm *);                                      /* or NULL */
  void (*abort)(struct sm *);                                       /* or NULL */
  void (*cycle)(struct sm *);                                       /* the stages from replies to issue */
  /* Stall of the cycle just executed, with a CTA resident: enum stall, or a class of a proposal */
  uint32_t (*classify)(const struct sm *);
  /* Performs a shared access that the proposal has checked; pipelines without such checks: NULL. */
  void (*perform)(struct sm *, uint32_t w, uint32_t mask, const struct ptx_access *);
  /* A memory access has been performed; passes it to the load/store unit. */
  void (*access)(struct sm *, uint32_t w, const struct ptx_op *, const struct ptx_access *);
  /* All data of a load have arrived: its registers can be read from `cycle` on. */
  void (*loaded)(struct sm *, uint32_t w, uint64_t cycle, bool async);
  void (*fetched)(struct sm *, uint32_t w, uint32_t pc); /* the warp's next operation is `pc`; or NULL */
  uint32_t (*waits_at)(
    const struct sm *); /* operation for which the cycle just executed counts, a stall (core/lines.h) */
};
extern const struct sm_pipeline sm_scoreboard_pipeline;
struct barrel;

/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): fields are grouped by use, not by size */
struct sm {
  /* read by sm_commit, possibly on another host core: kept in host cache lines of their own */
  _Alignas(64) struct mem_request request;
  uint32_t commands; /* outstanding commands of the proposal */
  bool sends, took_reply, performs, cta_ended;
  struct held performed; /* a global store or atomic */

  const struct gpu_config *config; /* this SM's own copy */
  const uint64_t *now, *tick;      /* core cycle; tick of its edge */
  const uint64_t *reply_at;        /* memory_reply_word */
  struct memory_system *memory;
  const struct system_ops *ops;         /* NULL: no proposal */
  const struct scoreboard_hooks *hooks; /* the proposal's, or empty hooks */
  const struct context_hooks *contexts; /* the proposal's, if they are on, or NULL */
  const struct l1_packing *l1_packing;  /* the proposal's, if L1 has more tags, or NULL */
  void *system;
  const struct sm_policy *policy;
  const struct sm_pipeline *pipeline;
  struct barrel *barrel; /* state of a barrel pipeline */
  const struct ptx_op *kernel_ops;
  uint32_t index, schedulers, line_bytes, banks;
  uint32_t latency[PTX_CLASSES];
  uint32_t alu_interval;

  /* warps */
  uint64_t active, ready, parked, at_barrier, was_blocked, far, in_flight;
  uint64_t waiting[WAIT_KINDS]; /* warps in the wheel, parked or held, by what they wait for */
  uint64_t fetching;            /* of those in waiting[WAIT_DATA]: their registers are ready before the operation is */
  uint64_t unit[UNITS];         /* warps, by the unit of their next operation */
  uint64_t wheel[SM_WHEEL], wheel_used;
  struct sm_fetch fetch;
  bool decoder_taken; /* by the proposal, in the next cycle */
  struct sm_scheduler_state scheduler[SM_SCHEDULERS];
  /* warps whose operations are held; of them, those of the load/store unit; the one that is executed; the last one of the unit's */
  uint64_t collecting, collecting_memory, collected;
  uint32_t last_collected;
  bool memory_done; /* the load/store unit has taken an operation in this cycle */
  bool keeps_line;  /* its queue keeps a place for a line of the proposal */
  uint64_t unit_free[UNITS];
  bool memory_issued, extension_issued; /* in this cycle */

  /* load/store unit */
  struct ring lsu_queue, prefetches;
  uint32_t lsu_wait, first_free_load;
  bool shared_running;  /* the head has the shared port */
  bool l1_taken;        /* by the proposal's operation of the last cycle */
  bool mshrs_changed;   /* since the queue's head last tried */
  bool system_called;   /* the proposal was called since its last cycle(), so one is due */
  bool system_ran;      /* the proposal's cycle() ran in this cycle */
  uint64_t shared_free; /* first cycle in which the shared port is free */
  uint64_t port_used;   /* 1 + the last cycle in which the load/store unit sent a request */
  struct cache *freed;  /* cache whose MSHR this cycle's reply freed; reusable in the next cycle */
  struct held
    held[SHARED_CHECK_CYCLES_MAX + 1]; /* checked accesses by their age in cycles: issued in this cycle, ... */
  uint32_t n_held;

  /* the last cycle, for skipping, waves and reports */
  uint32_t work, stall;                      /* stall: enum stall, or a class of a proposal */
  uint16_t stall_counter[STALL_CLASSES_MAX]; /* SM counter row of each stall class */
  bool tile_stall;
  bool issued;
  uint8_t issued_warp;
  uint32_t issued_pc;
  uint64_t next; /* first cycle that must be executed */
  bool counts_lines;
  struct line_count *lines, *line; /* by operation, or NULL; that of the last cycle */
  struct sm_counters counters;

  struct sm_events *events;            /* or NULL */
  struct sm_operations *operations;    /* or NULL */
  const struct mem_recorder *recorder; /* with l1() or fill(), or NULL */
  const struct wait_recorder *waits;   /* or NULL */
  const struct step_recorder *steps;   /* or NULL */
  bool watched;                        /* by the proposal: system_ops.watches */
  struct wait_record wait;             /* the one that is not over */
  struct histogram *latency_of;        /* SM_LATENCIES of them, or NULL */
  struct sm_tiles *tiles;              /* only if the kernel has staging copies */
  struct lsu_entry *lsu;
  uint64_t segments, segments_pushed; /* of memory that the load/store unit has processed; that it was given */
  struct sm_prefetch prefetch[SM_PREFETCHES];
  struct sm_prefetcher *prefetcher; /* l1.prefetch, or a proposal's, or NULL */
  struct sm_load *load;
  struct cache cache[SM_CACHES];

  /* CTAs */
  struct launch launch;
  struct sm_cta cta[SM_CTAS];
  uint8_t age[SM_CTAS];      /* resident slots, oldest first */
  uint64_t slots[SM_CTAS];   /* of a CTA's warps: apart, because the choice of a warp looks at those of many CTAs */
  uint32_t n_ctas, draining; /* resident CTAs; slots whose warps have all exited */
  struct sm_room room;       /* of each kind */
  bool seats;                /* more contexts than slots: warps take turns in them */
  uint64_t seated;           /* with them: slots that a warp has */
  uint64_t contexts_taken[SM_CONTEXTS / 64];
  bool by_warps;              /* system_ops.admits_warps, in this launch */
  bool frees_slots;           /* a warp's slot is free when it has ended, not when its CTA has */
  bool unstarted, freed_slot; /* a CTA has warps that wait for a slot; one was freed in this cycle */
  uint64_t ended[SM_CTAS];    /* CTAs that left in the last cycle in which any left */
  uint32_t n_ended;
  uint8_t *shared;
  uint64_t local_base; /* address of this SM's local memory, for timing only */
  uint32_t *rows;
  uint8_t *local;
  ready_time *registers;
  size_t rows_size, local_size, registers_size; /* bytes allocated */
  struct sm_warp *context;                      /* room.warps of them, by number */
  struct sm_warp *warp[SM_WARPS];               /* by slot; of a slot that is free: NULL, or the last one */

  struct gpu_config config_copy;
  uint64_t finish_mark; /* core cycle up to which finish_cycles counts */
  struct device_memory *device_memory;
  char path[16];
  bool faulted;
  char fault[960];
};

static inline uint64_t warp_bit(uint32_t w) { return UINT64_C(1) << w; }
static inline uint32_t lowest(uint64_t mask) { return (uint32_t)__builtin_ctzll(mask); }

/* scoreboard.c: when warps may issue */
/* Decodes the warp's next operation and puts the warp into the wheel, parks it or makes it ready. */
void sm_schedule(struct sm *, uint32_t w);
void sm_unschedule(struct sm *, uint32_t w); /* removes it from wheel, parked and ready */
void sm_wake_warps(struct sm *);             /* wakes those whose cycle has come */
uint64_t sm_next_wake(const struct sm *);    /* next wake-up after this cycle, or UINT64_MAX */
void sm_set_ready(struct sm *, struct sm_warp *, const struct ptx_op *, ready_time);

/* issue.c */
void sm_issue(struct sm *);
/* Executes the warp's operation, issued by scheduler `s`. */
void sm_execute(struct sm *, uint32_t s, uint32_t w);
/* Performs the memory operation of warp `w`, passes it to the load/store unit and lets the warp continue. A global
 * store or atomic is performed at the end of the cycle. */
void sm_perform(struct sm *, uint32_t w, uint32_t mask, const struct ptx_access *);
void sm_perform_now(struct sm *, uint32_t w, uint32_t mask, const struct ptx_access *);
/* Executes those that were held (collect.c) and have their operands: after the proposal's cycle(). */
void sm_execute_collected(struct sm *);
/* Counts the operation as executed. */
void sm_count(struct sm *, const struct ptx_op *, uint32_t mask);
void sm_record_fault(struct sm *, uint32_t w);

/* lines.c */
int sm_lines_launch(struct sm *, struct err *);
void sm_lines_cycle(struct sm *); /* only if sm->lines is set */
uint32_t sm_oldest_of(const struct sm *,
                      uint64_t warps); /* the lowest warp of the oldest CTA that has one; SM_NONE of none */
uint32_t sm_next_pc(const struct sm *, uint32_t w); /* of SM_NONE: the one after the last */

/* lsu.c */
/* True if registers wait for data. */
bool sm_lsu_push(struct sm *, uint32_t w, const struct ptx_op *, const struct ptx_access *);
void sm_lsu_cycle(struct sm *);
bool sm_next_line(const struct sm *, struct next_line *);                  /* sm_services.next_line */
bool sm_own_line(struct sm *, uint64_t address, bool store, uint32_t tag); /* sm_services.line */
void sm_finish_shared(struct sm *); /* completes the queue's head if its port cycles are over */
void sm_send(struct sm *, enum mem_kind, uint64_t address, uint32_t bytes, uint32_t tag, uint32_t cta);
int sm_lsu_create(struct sm *, struct err *);
void sm_lsu_abort(struct sm *); /* discards unsent accesses; replies to sent ones are dropped */
void sm_take_reply(struct sm *);
void sm_finish_reply(struct sm *, const struct mem_request *); /* after the reply's data was written */
bool sm_release(struct sm *, uint32_t mshr);                   /* sm_services.release */

/* prefetch.c */
bool sm_prefetch(struct sm *, uint64_t address, uint8_t priority, uint32_t warp); /* false: the queue is full */
void sm_prefetch_cycle(struct sm *); /* called while prefetches are queued */
/* L1's prefetcher, or a proposal that prefetches in its place, if there is one; all but the first two are called only then. */
int sm_prefetcher_create(struct sm *, struct err *);
void sm_prefetcher_launch(struct sm *);
void sm_prefetcher_load(struct sm *, uint32_t w, const struct ptx_op *, const struct lsu_entry *);
void sm_prefetcher_hit(struct sm *, uint64_t line);
void sm_prefetcher_filled(struct sm *, uint64_t line, const struct mshr *); /* MSHR: NULL for a pushed line */

/* sm_caches.c */
int sm_caches_create(struct sm *, struct err *);
uint32_t sm_mshrs_used(const struct sm *); /* of all caches */

/* async.c */
void sm_copy_begins(struct sm *, struct sm_warp *);
void sm_copy_ends(struct sm *, struct sm_warp *, uint32_t group, uint64_t cycle);
void sm_commit_group(struct sm *, uint32_t w);

/* sm_system.c */
struct sm_services sm_services_of(struct sm *);
void sm_update_blocked(struct sm *);
/* Holds a shared access for the proposal's check. */
void sm_hold(struct sm *, uint32_t w, uint32_t mask, const struct ptx_access *);
bool sm_needs_check(struct sm *, uint32_t w, const struct ptx_access *);
enum extension_result sm_extension(struct sm *, uint32_t w, uint32_t mask);
void sm_system_cycle(struct sm *);

/* seats.c: only if sm->seats */
void sm_clear_seats(struct sm *);
uint32_t sm_free_contexts(const struct sm *);
uint32_t sm_take_context(struct sm *);                /* the lowest free one */
uint32_t sm_seat(struct sm *, uint32_t number);       /* sm_services.seat */
void sm_unseat(struct sm *, uint32_t w);              /* sm_services.unseat */
void sm_leave_context(struct sm *, struct sm_warp *); /* the warp has ended; its slot is free, too */

/* collect.c: only if sm->contexts is set */
bool sm_collect(struct sm *, uint32_t w);                                   /* false: its operands are at hand */
bool sm_collect_shared(struct sm *, uint32_t w, const struct ptx_access *); /* false: it can be made */
void sm_note_condition(struct sm *, uint64_t cycles);                       /* only if the proposal has ran() */

/* tiles.c: only if the kernel has staging copies */
int sm_tiles_launch(struct sm *, struct err *);
void sm_tile_issue(struct sm *, uint32_t w, const struct ptx_op *);
void sm_tile_push(struct sm *, uint32_t w, const struct ptx_op *, struct lsu_entry *);
void sm_tile_pop(struct sm *, const struct lsu_entry *, uint64_t cycle);
void sm_tile_barrier(struct sm *, uint32_t slot);
void sm_tile_cta_end(struct sm *, uint32_t slot);
bool sm_waits_for_tiles(const struct sm *); /* may be called for any kernel */

/* operations.c: only if sm->operations is set */
void sm_operations_launch(struct sm *);
void sm_operations_note(struct sm *, uint32_t w, uint32_t mask);

/* events.c: only if sm->events is set */
void sm_events_launch(struct sm *);
void sm_events_tile(struct sm *, uint32_t slot);
void sm_events_copy(struct sm *, uint32_t slot, uint32_t tile, uint64_t begin, uint64_t agen_end, uint64_t end);
void sm_events_shared_load(struct sm *, uint32_t w);
void sm_events_op(struct sm *, uint32_t w);
void sm_events_cta_start(struct sm *, uint32_t slot);
void sm_events_cta_end(struct sm *, uint32_t slot);
void sm_events_arrival(struct sm *, uint32_t slot, uint32_t id);
void sm_events_barrier(struct sm *, uint32_t slot, uint32_t id);

/* sm_wave.c */
int sm_wave_register(struct sm *, struct probe_sink *, struct err *);

#endif
