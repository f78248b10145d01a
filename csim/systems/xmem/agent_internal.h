/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the part beyond the SMs share. Cycles are those of the L2 domain.
 *
 * A cycle: what is due is driven into the AMUs (all of it was known at the end of the cycle before), they settle, what they
 * say is taken: lookups answered, accesses to memory, updates for the other partitions. The slices come after, so what they
 * ask or answer in cycle c is seen in c + 1. */
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
  ACCESS_IDS = 16,      /* of an AMU's memory port */
  SEND_PLACES = 4,      /* assumption: accesses on their way to a slice of the partition, and to others */
  LOOKUP_PLACES = 16,   /* assumption: requests of a slice that wait for its AMU */
  PREFETCH_PLACES = 16, /* assumption: lines to prefetch that wait for it */
  TAGS = 256,           /* lookups in an AMU */
  GAT_OFFSET = 32,      /* bytes from a context's AST to its GAT */
  CONTEXT_BYTES = 8192  /* in memory: AST, GAT */
};

/* ---- memory of the tables (tables.c) ---- */

/* The atom address map lies at the end of the 40-bit space of physical addresses, the contexts before it. */
struct storage {
  uint64_t aam_base, context_base;
  uint64_t first,
    bytes;      /* offset into the map and bytes of the entries of device memory; the others are never written */
  uint8_t *aam; /* complemented: pages that were never touched read as 0, and mean no atom */
  uint8_t contexts[XMEM_CONTEXTS][CONTEXT_BYTES];
};

bool storage_create(struct storage *, const struct gpu_config *, uint32_t entry_bytes, struct err *);
void storage_destroy(struct storage *);
uint64_t storage_read(const struct storage *, uint64_t address, uint32_t bytes);         /* little-endian */
void storage_write(struct storage *, uint64_t address, uint64_t value, uint32_t strobe); /* strobe: by byte */

/* ---- accesses to memory (access.c) ---- */

struct access {
  uint64_t address, data; /* written, or read */
  uint64_t due;           /* to be given to its slice; its answer */
  uint8_t strobe, parts;  /* parts: sectors that are still to come back */
  bool write, remote;
};

struct id_queue {
  struct ring ring;
  uint8_t id[ACCESS_IDS];
};

struct port {
  struct access access[ACCESS_IDS];
  struct id_queue send[2], back[2]; /* the partition's own slice; the others */
  uint8_t parts_left[2];            /* of the heads of `send` */
  uint32_t open;                    /* accesses */
};

/* ---- lookups (lookups.c) ---- */

struct lookup {
  uint64_t physical, asked; /* cycle */
  uint8_t aid;              /* of a prefetch: the atom that it is for */
  bool prefetch, miss;      /* miss: of a request that reads and did not find its line */
};

struct lookups {
  struct ring requests, prefetches;
  struct lookup request[LOOKUP_PLACES], prefetch[PREFETCH_PLACES], open[TAGS];
  uint8_t free[TAGS]; /* a stack of tags */
  uint32_t n_free;
};

/* ---- commands (commands.c) ---- */

/* Register writes, then a command: what an AMU is being given. */
struct feed {
  uint64_t reg[8], from; /* from: first cycle */
  uint8_t sel[8], n, at, op, aid, dim;
  bool busy;
};

enum { SWITCH_NONE, SWITCH_QUIET, SWITCH_GIVEN, SWITCH_TABLES };
enum { CODE_TRANSLATE = XMEM_CODE_PAGE_FREE + 1 }; /* in the driver's queue: a context's atoms have changed */

struct waiting_command {
  struct mem_request request;
  struct xmem_command command;
};

struct commands {
  struct xmem_command *slots;      /* [sm][XMEM_SLOTS] */
  struct waiting_command *waiting; /* of SMs, in their order */
  struct ring queue;               /* of `waiting` */
  struct xmem_command *driver;     /* of the driver: a list, from `driver_at` on */
  size_t driver_at, driver_n, driver_max;
  struct mem_request taken;   /* whose command the home AMU has, to be told */
  bool of_sm, tell;           /* the one in the feed is an SM's; `taken` waits for the network */
  uint8_t switching, context; /* enum SWITCH_*; context: of the switch */
  bool counted;               /* it is a switch, and not only new tables */
  uint64_t switched_at;       /* cycle in which the AMUs were given the switch */
};

/* ---- the translator (translator.c) ---- */

enum { GAT_WORDS = (XMEM_IDS * XMEM_ATOM_BYTES + 7) / 8, GAT_READS = 4 /* assumption: at a time */ };

struct translator {
  uint32_t words, asked, atoms, done;
  uint8_t got[GAT_WORDS];
  uint32_t out;  /* reads under way */
  uint64_t next; /* first cycle in which the next atom may be done */
  bool busy;
};

/* ---- the policy (policy.c) ---- */

struct policy {
  bool active[XMEM_IDS];   /* as the home AMU tells */
  uint16_t pin[XMEM_IDS];  /* of 256: which part of the atom's data is pinned */
  uint64_t select_at;      /* cycle; NEVER */
  uint64_t selected_at;    /* of the last choice */
  uint8_t order[XMEM_IDS]; /* atoms to choose from */
  uint32_t ws[XMEM_IDS];   /* their working sets, 512 bytes */
  uint32_t n, at;          /* of `order`; at: read so far */
  /* assumption: a switch clears the counters of the AMU, so the driver keeps what they said last of each context; they count again
   * once they are more than 0 */
  uint32_t kept[XMEM_CONTEXTS][XMEM_IDS];
  bool counts[XMEM_IDS];
  bool reading;
};

/* ---- the whole ---- */

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
  bool active;                                       /* its last cycle had inputs or left work */
  uint32_t c_hit, c_miss, c_merge, c_pages, c_stall; /* as of then */
  struct port port;
  struct lookups lookups;
  struct feed feed;
  bool booted; /* knows where the atom address map is */
  char path[16];
};

struct xmem_agent {
  struct memory_services s;
  const struct gpu_config *config;
  const struct xmem_parameters *p;
  struct xmem_memory_counters *count;
  const struct address_map *map;
  struct partition *part; /* 0: the home */
  uint32_t n, n_sms;
  uint64_t cycle; /* the one being executed */
  uint64_t work;  /* first cycle in which there is something to do, NEVER; 0: the next one */
  /* Commands of SMs and lookups go on behind a launch's end (Vijaykumar 2019, 2.4.1: they retire when they are queued); what
   * the driver asks for is waited for. */
  bool open;      /* something is under way: in the background */
  bool driver;    /* and some of it is the driver's */
  uint64_t held;  /* of what is in flight, for the driver */
  uint64_t steps; /* cycles of maps in which the home AMU waited for no memory */
  uint8_t none, context;
  bool known; /* the AMUs have a context */
  uint32_t atoms[XMEM_CONTEXTS];
  bool tables_in; /* the tables are those of the current context */
  uint32_t entry_bytes, unit_shift, bus_latency;
  uint64_t frames_end; /* physical address one past device memory */
  struct storage storage;
  struct commands commands;
  struct translator translator;
  struct policy policy;
  struct xmem_tables tables;
  struct rng random; /* xmem.hints = random */
  struct update *bus;
  struct ring bus_queue; /* of `bus` */
  /* MMU: one translation */
  uint64_t mmu_due, mmu_vpn; /* NEVER: none */
};

/* What the next edges of this domain have to do: the agent wakes. */
static inline void agent_work(struct xmem_agent *a, uint64_t cycle) {
  if (cycle < a->work) a->work = cycle;
}

/* Something is under way from now on. */
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

/* Where the atom address map has the entry of an address's page. */
static inline uint64_t agent_entry(const struct xmem_agent *a, uint64_t physical) {
  return a->storage.aam_base + (physical >> PAGE_BITS) * a->entry_bytes;
}

/* access.c */
void access_drive(struct xmem_agent *, struct partition *);
void access_take(struct xmem_agent *, struct partition *);
void access_send(struct xmem_agent *, struct partition *); /* once a cycle, whether the AMU works or not */
bool access_waits(const struct port *);                    /* something is to be sent */
bool access_due(const struct xmem_agent *, const struct port *);
uint64_t access_answer_at(const struct port *); /* cycle in which the next answer is due; NEVER */
void agent_performed(void *self, uint32_t tag);
void agent_answered(void *self, uint32_t tag);
uint32_t agent_slice(const struct xmem_agent *, uint64_t physical);

/* lookups.c */
void lookups_start(struct lookups *);
void lookups_drive(struct xmem_agent *, struct partition *);
/* True: a lookup was answered; what the AMU says of it is at its outputs rs_*. */
bool lookups_take(struct xmem_agent *, struct partition *, struct lookup *answered);
bool lookups_wait(const struct lookups *);
void lookups_forget(struct xmem_agent *, struct lookups *);
void lookups_prefetch(struct xmem_agent *, struct partition *, uint64_t physical, uint32_t aid);
void agent_looked_up(void *self, uint32_t slice, const struct mem_request *, bool hit);

/* commands.c */
bool commands_create(struct commands *, uint32_t n_sms);
void commands_destroy(struct commands *);
void commands_cycle(struct xmem_agent *); /* before the AMUs */
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
bool policy_due(const struct xmem_agent *); /* the home AMU is to be asked */
void policy_changed(struct xmem_agent *);
void policy_context(struct xmem_agent *); /* the status table is another one */
void policy_answer(struct xmem_agent *, struct partition *, const struct lookup *, uint32_t aid, bool active);
bool policy_pins(const struct policy *, uint32_t aid, uint64_t physical);
/* The greedy rule, for n atoms in any order: reuse, working set in 512 bytes; pin[i] of 256. */
void policy_choose(uint32_t n, const uint8_t *reuse, const uint32_t *ws, uint64_t budget, uint16_t *pin);

#endif
