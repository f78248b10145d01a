/* SPDX-License-Identifier: Apache-2.0 */
/* State and functions that the files of the memory agent share. Cycles are those of the L2 clock domain.
 *
 * Order in a cycle: pending inputs (all known at the end of the previous cycle) are driven into the AMUs; the AMUs are
 * evaluated; their outputs are handled: lookup answers, memory accesses, updates for the other partitions. The slices
 * run after the agent, so the agent sees a slice's requests and replies of cycle c in cycle c + 1. */
#ifndef TANDEM_SYSTEMS_XMEM_AGENT_INTERNAL_H
#define TANDEM_SYSTEMS_XMEM_AGENT_INTERNAL_H

#include "base/err.h"
#include "base/ring.h"
#include "base/rng.h"
#include "config/counters.h"
#include "dram/address_map.h"
#include "mem/agent.h"
#include "mem/memory_system.h"
#include "mem/page_table.h"
#include "systems/xmem/tables.h"
#include "systems/xmem/xmem.h"
#include "xmem_amu_ports.h"

#define NEVER UINT64_MAX

enum {
  ACCESS_IDS = 16,      /* access IDs of an AMU's memory port */
  ALB_IDS = 8,          /* the first of them: ALB misses */
  SEND_PLACES = 4,      /* assumption: queued accesses to the own slice, and to other slices */
  LOOKUP_PLACES = 16,   /* assumption: queued lookups of a slice's requests */
  PREFETCH_PLACES = 16, /* assumption: queued lookups of prefetch candidates */
  HINT_PLACES = 32,     /* assumption: prefetch candidates on their way to a slice */
  FILL_PLACES = 16,     /* assumption: fills of other ALBs on their way to an ALB, or waiting there */
  INSTALLS = 4,         /* assumption: fills of other ALBs that an ALB takes in at a time */
  MAPS_AN_ATOM = 2,     /* assumption: mapped blocks of an atom that the prefetchers know */
  TAGS = 256,           /* lookups in flight in an AMU */
  GAT_OFFSET = 32,      /* bytes from a context's atom status table (AST) to its global attribute table (GAT) */
  CONTEXT_BYTES = 8192  /* memory of a context: AST and GAT */
};

/* ---- contents of the tables in memory (storage.c) ---- */

/* The atom address map (AAM) lies at the end of the 40-bit physical address space, below it the contexts. */
struct storage {
  uint64_t aam_base, context_base;
  uint64_t first, bytes; /* offset and size of the entries of device memory; other entries are never written */
  uint8_t *aam;          /* complemented, so that untouched host pages, which read as 0, mean no atom */
  uint8_t contexts[XMEM_CONTEXTS][CONTEXT_BYTES];
};

bool storage_create(struct storage *, const struct gpu_config *, uint32_t entry_bytes, struct err *);
void storage_destroy(struct storage *);
uint64_t storage_read(const struct storage *, uint64_t address, uint32_t bytes);         /* little-endian */
void storage_write(struct storage *, uint64_t address, uint64_t value, uint32_t strobe); /* strobe: by byte */

/* ---- accesses to memory (access.c) ---- */

struct access {
  uint64_t address, data;     /* data: written or read */
  uint64_t due;               /* cycle in which it reaches its slice; later: in which its answer arrives */
  uint8_t strobe, parts;      /* parts: outstanding sectors */
  bool write, remote, shared; /* shared: answered by another partition's fill */
};

struct id_queue {
  struct ring ring;
  uint8_t id[ACCESS_IDS];
};

struct port {
  struct access access[ACCESS_IDS];
  struct id_queue send[2], back[2]; /* [0]: the partition's own slice; [1]: others */
  uint8_t parts_left[2];            /* unsent sectors of the heads of `send` */
  uint32_t open;                    /* accesses in flight */
};

/* ---- lookups (lookups.c) ---- */

struct lookup {
  uint64_t physical, asked; /* cycle */
  uint8_t aid;              /* of a prefetch candidate: its atom; of an install: its place in `installing` */
  bool prefetch, miss;      /* prefetch: a candidate; miss: a read that missed in the L2, or found a prefetched line */
  bool install;             /* brings a shared fill into the ALB; nobody waits for its answer */
};

/* An entry of the AAM that another ALB has fetched. */
struct shared_fill {
  uint64_t physical, entry, data, due; /* entry: its address; due: cycle of arrival */
  bool stale;                          /* the entry in memory has been written since */
};

struct hint {
  uint64_t line, due;
  uint8_t aid;
};

struct lookups {
  struct ring requests, prefetches;
  struct lookup request[LOOKUP_PLACES], prefetch[PREFETCH_PLACES], open[TAGS];
  struct ring fills, hints; /* arriving from other partitions, in the order of their arrival */
  struct shared_fill fill[FILL_PLACES],
    installing[INSTALLS]; /* installing: their lookups are in flight; entry 0: none */
  struct hint hint[HINT_PLACES];
  uint8_t free[TAGS]; /* a stack of tags */
  uint32_t n_free;
};

/* ---- commands (commands.c) ---- */

/* A command that is being fed to an AMU: register writes, then the command itself. */
struct feed {
  uint64_t reg[8], from; /* from: first cycle */
  uint8_t sel[8], n, at, op, aid, dim;
  bool busy;
};

enum { SWITCH_NONE, SWITCH_QUIET, SWITCH_GIVEN, SWITCH_TABLES };
enum { CODE_TRANSLATE = XMEM_CODE_PAGE_FREE + 1 }; /* driver queue only: the atoms of a context have changed */

struct waiting_command {
  struct mem_request request;
  struct xmem_command command;
};

struct commands {
  struct xmem_command *slots;      /* [sm][XMEM_SLOTS] */
  struct waiting_command *waiting; /* commands of SMs, in their order */
  struct ring queue;               /* of `waiting` */
  struct xmem_command *driver;     /* commands of the driver: an array, pending from `driver_at` on */
  size_t driver_at, driver_n, driver_max;
  struct mem_request taken;  /* SM request whose acceptance is to be acknowledged */
  struct xmem_command given; /* the last one that was given to the home AMU */
  bool of_sm, tell; /* the command in the feed is an SM's; the acknowledgement of `taken` waits for the network */
  uint8_t switching, context; /* enum SWITCH_*; context that is switched to */
  bool counted;               /* a real switch, not only a reload of the tables */
  uint64_t switched_at;       /* cycle in which the AMUs received the switch */
};

/* ---- the translator (translator.c) ---- */

enum { GAT_WORDS = (XMEM_IDS * XMEM_ATOM_BYTES + 7) / 8, GAT_READS = 4 /* assumption: reads in flight */ };

struct translator {
  uint32_t words, asked, atoms, done;
  uint8_t got[GAT_WORDS];
  uint32_t out;  /* reads in flight */
  uint64_t next; /* first cycle in which the next atom may be complete */
  bool busy;
};

/* ---- what prefetches follow (prefetch.c) ---- */

/* A mapped block: its extent in bytes, rows and planes, and their distance in memory. No bytes: none. */
struct block_map {
  uint64_t start, from; /* physical address; cycle from which all partitions know it */
  uint64_t pitch, plane;
  uint32_t size_x, size_y, size_z;
};

/* ---- the policy (policy.c) ---- */

struct policy {
  bool active[XMEM_IDS];   /* as reported by the home AMU */
  uint16_t pin[XMEM_IDS];  /* share of the atom's data that is pinned, in 1/256 */
  uint64_t select_at;      /* cycle of the next selection, or NEVER */
  uint64_t selected_at;    /* cycle of the last selection */
  uint8_t order[XMEM_IDS]; /* candidate atoms */
  uint32_t ws[XMEM_IDS];   /* their working sets in units of 512 bytes */
  uint32_t n, at;          /* length of `order`; working sets read so far */
  /* assumption: a context switch clears the working-set counters of the AMU. The driver keeps each context's last
   * values, which are used until the AMU's counter is above 0 again. */
  uint32_t kept[XMEM_CONTEXTS][XMEM_IDS];
  bool counts[XMEM_IDS];
  bool reading;
};

/* ---- the agent ---- */

/* An update on its way from the home AMU to the others. */
struct update {
  uint64_t due;
  uint32_t ppn;
  uint8_t mask, aid, status_aid;
  bool page, status, value;
};

struct partition {
  struct block *amu;
  struct xmem_amu_in *in;
  const struct xmem_amu_out *out;
  bool active;                        /* the AMU's last cycle had inputs or left work */
  uint32_t c_merge, c_pages, c_stall; /* the AMU's counters at that time */
  struct port port;
  struct lookups lookups;
  struct feed feed;
  bool booted; /* the AMU has the base address of the AAM */
  char path[16];
};

struct xmem_agent {
  struct memory_services s;
  const struct gpu_config *config;
  const struct xmem_parameters *p;
  struct xmem_memory_counters *count;
  const struct address_map *map;
  struct partition *part; /* partition 0 is the home */
  uint32_t n, n_sms;
  uint64_t cycle; /* current cycle */
  uint64_t work;  /* first cycle with work, or NEVER; 0: the next one */
  /* Commands of SMs and lookups continue in the background after a launch ends (Vijaykumar 2019, 2.4.1: commands retire
   * when they are queued). The driver's commands are waited for. */
  bool open;      /* background work is in flight */
  bool driver;    /* some of it was requested by the driver */
  uint64_t held;  /* what this agent adds to *s.in_flight, which the driver waits for */
  uint64_t steps; /* cycles of map commands in which the home AMU did not wait for memory */
  uint8_t none, context;
  bool known; /* the AMUs have a context */
  uint32_t atoms[XMEM_CONTEXTS];
  bool tables_in; /* the private tables of the current context are loaded */
  uint32_t entry_bytes, unit_shift, bus_latency;
  uint64_t frames_end; /* physical address one past device memory */
  struct storage storage;
  struct commands commands;
  struct translator translator;
  struct policy policy;
  struct block_map (*maps)[MAPS_AN_ATOM]; /* by atom; the latest first */
  uint64_t region;                        /* bytes: no prefetch leaves one */
  struct xmem_tables tables;
  struct rng random; /* xmem.hints = random */
  struct update *bus;
  struct ring bus_queue; /* of `bus` */
  /* MMU: one translation at a time */
  uint64_t mmu_due, mmu_vpn; /* NEVER: none */
};

/* Wakes the agent: it has work at the next edges of its clock. */
static inline void agent_work(struct xmem_agent *a, uint64_t cycle) {
  if (cycle < a->work) a->work = cycle;
}

/* Marks background work as in flight. */
static inline void agent_open(struct xmem_agent *a) {
  *a->s.background += !a->open;
  a->open = true;
}

/* Makes the driver wait until the agent drains. */
static inline void agent_hold(struct xmem_agent *a) {
  agent_open(a);
  a->driver = true;
  if (a->held) return;
  a->held = 1;
  ++*a->s.in_flight;
}

/* The slice that owns an address. */
static inline uint32_t agent_slice(const struct xmem_agent *a, uint64_t physical) {
  return address_map_channel(a->map, physical);
}

/* Address of the AAM entry of an address's page. */
static inline uint64_t agent_entry(const struct xmem_agent *a, uint64_t physical) {
  return a->storage.aam_base + (physical >> PAGE_BITS) * a->entry_bytes;
}

/* access.c */
void access_start(struct port *);
void access_drive(struct xmem_agent *, struct partition *);
void access_take(struct xmem_agent *, struct partition *);
void access_send(struct xmem_agent *, struct partition *); /* once per cycle, also when the AMU is idle */
bool access_waits(const struct port *);                    /* True if an access waits to be sent. */
bool access_due(const struct xmem_agent *, const struct port *);
uint64_t access_answer_at(const struct port *); /* cycle of the next answer, or NEVER */
void agent_performed(void *self, uint32_t tag);
void agent_answered(void *self, uint32_t tag);

/* lookups.c */
void lookups_start(struct lookups *);
void lookups_drive(struct xmem_agent *, struct partition *);
/* True if a lookup was answered; the answer is at the AMU's outputs rs_*. */
bool lookups_take(struct xmem_agent *, struct partition *, struct lookup *answered);
bool lookups_wait(const struct lookups *);
void lookups_forget(struct xmem_agent *, struct lookups *);
/* Cycle of the next arrival from another partition, or NEVER. */
uint64_t lookups_arrival(const struct lookups *);
/* Moves prefetch candidates that have arrived into the queue of lookups. */
void lookups_arrive(struct xmem_agent *, struct partition *);
/* The line, a prefetch candidate, goes to the slice that owns it. */
void lookups_prefetch(struct xmem_agent *, struct partition *from, uint64_t line, uint32_t aid);
/* What a fill of another ALB, which is being installed, brings for this entry; NULL: nothing. */
const struct shared_fill *lookups_installing(const struct lookups *, uint64_t entry);
/* An ALB has its answer: the others get it too. */
void lookups_share(struct xmem_agent *, struct partition *from, uint64_t entry, uint64_t data);
/* An entry of the AAM is written: fills on their way are stale. */
void lookups_written(struct xmem_agent *, uint64_t entry);
void agent_looked_up(void *self, uint32_t slice, const struct mem_request *, bool hit, bool first);

/* prefetch.c */
void prefetch_mapped(struct xmem_agent *); /* the home AMU has accepted the command `given` */
void prefetch_forget(struct xmem_agent *); /* all maps */
/* Prefetches what the pattern of atom `aid` names after `physical`. */
void prefetch_follow(struct xmem_agent *, struct partition *, uint64_t physical, uint32_t aid);

/* commands.c */
bool commands_create(struct commands *, uint32_t n_sms);
void commands_destroy(struct commands *);
void commands_cycle(struct xmem_agent *); /* runs before the AMUs */
bool commands_open(const struct xmem_agent *);
void feed_drive(const struct xmem_agent *, struct partition *);
void feed_take(struct xmem_agent *, struct partition *);
void agent_command(void *self, const struct mem_request *);
void agent_frame_freed(void *self, uint64_t physical);

/* translator.c */
void translator_start(struct xmem_agent *);
void translator_cycle(struct xmem_agent *);
void translator_answered(struct xmem_agent *, uint32_t word);

/* policy.c */
void policy_start(struct policy *);
void policy_drive(struct xmem_agent *);
void policy_take(struct xmem_agent *);
bool policy_due(const struct xmem_agent *); /* a query of the home AMU is pending */
void policy_changed(struct xmem_agent *);
void policy_context(struct xmem_agent *); /* the context has changed */
void policy_answer(struct xmem_agent *, struct partition *, const struct lookup *, uint32_t aid, bool active);
bool policy_pins(const struct policy *, uint32_t aid, uint64_t physical);
/* The greedy selection among n atoms in any order, given reuse and working set (units of 512 bytes); pin[i] in
 * 1/256. */
void policy_choose(uint32_t n, const uint8_t *reuse, const uint32_t *ws, uint64_t budget, uint16_t *pin);

#endif
