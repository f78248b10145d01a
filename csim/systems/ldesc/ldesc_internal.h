/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that run in simulated cycles share: CTA dispatch, one a GPU (dispatch.c), and the side of an SM (sm_side.c, l1.c,
 * port.c). */
#ifndef TANDEM_SYSTEMS_LDESC_LDESC_INTERNAL_H
#define TANDEM_SYSTEMS_LDESC_LDESC_INTERNAL_H

#include "base/err.h"
#include "base/rng.h"
#include "core/cache.h"
#include "core/dispatch.h"
#include "core/round_robin.h"
#include "core/system.h"
#include "systems/ldesc/lines.h"
#include "systems/ldesc/policy.h"
#include "systems/ldesc/tables.h"

enum { LDESC_SLOTS = LDESC_DISTANCES, LDESC_MODULE_SMS = 16, LDESC_AXIS_MAX = 65535, LDESC_PATH = 24 };

/* ---- keep.c ---- */

/* A policy with its runs, and the grid that it is for. */
struct ldesc_kept {
  struct ldesc_policy policy;
  struct ldesc_run *run; /* of all modules, one after the other */
  uint32_t grid[LDESC_AXES];
};

/* Checks the policy and keeps a copy; ERR_VALUE as ldesc_policy_set. */
int ldesc_keep(struct ldesc_kept *, const struct ldesc_policy *, uint32_t modules, const uint32_t grid[3],
               struct err *);
/* Random rows over the memory of the GPU, and random clusters: each CTA of the grid belongs to one. */
void ldesc_keep_random(struct ldesc_kept *, struct rng *, const struct gpu_config *, const uint32_t grid[3]);
/* The cluster after the one at `at`; false: it was the last of the grid. */
bool ldesc_next_cluster(uint32_t at[3], const uint32_t size[3], const uint32_t grid[3]);

/* ---- dispatch.c ---- */

/* The SMs of a module, and the block that gives them CTAs. */
struct ldesc_module {
  struct block *block;
  uint32_t first_sm;
  const struct ldesc_clusters *clusters; /* of this launch */
  uint32_t next;                         /* run */
  bool starts, gives;                    /* the launch is to begin; `choice` is for next() */
  struct dispatch_choice choice;
  char path[LDESC_PATH];
};

struct ldesc_dispatcher {
  struct dispatch_services s;
  const struct gpu_config *config;
  const struct ldesc_parameters *p;
  struct ldesc_memory_counters *n;
  uint32_t n_sms, modules, module_sms;
  struct ldesc_module module[LDESC_MODULES];
  struct round_robin turn; /* of a launch without clusters */
  struct rng random;
  uint32_t grid[3];
  struct ldesc_kept given, drawn;    /* by the driver; ldesc.hints = random */
  const struct ldesc_policy *policy; /* of this launch */
  uint64_t hold, held_until; /* core cycles: of the next launch; core cycle before which no CTA of this one starts */
};

extern const struct dispatch_ops ldesc_dispatch;

/* ---- sm_side.c, l1.c, port.c ---- */

#define LDESC_NO_LINE UINT64_MAX

struct ldesc_sm {
  struct sm_services sm;
  const struct ldesc_parameters *p;
  struct ldesc_counters *n;
  const struct ldesc_dispatcher *dispatcher;
  struct block *l1, *port; /* ldesc_l1; numa_decode: of several modules, or NULL */
  uint32_t index, ways, way_bits;
  struct ldesc_lines *lines; /* that loads of this launch have looked up */

  /* the block is to be told of */
  uint32_t next_row; /* rows from here on */
  bool clears;       /* a new table */
  bool starts;       /* a CTA, in start_slot */
  uint32_t start_slot, start_at[3];
  uint32_t held, ending;    /* slots whose CTA it knows; of them those whose CTA has left */
  bool fills, hits, misses; /* in this cycle */
  uint32_t hit_way;

  /* this cycle */
  bool on;     /* the block was evaluated */
  uint64_t at; /* address that a load looks up, or LDESC_NO_LINE */
  bool asks;   /* none does: the line that is offered is looked up, for its class */
  /* the next one */
  bool awake;       /* the block is busy */
  uint64_t offered; /* line that the prefetch engine offers: byte address / LDESC_LINE, or LDESC_NO_LINE */
  char path[2][LDESC_PATH];
};

/* l1.c */
/* Evaluates the block for this cycle, in which a load looks up `line` (or LDESC_NO_LINE). */
void ldesc_l1_evaluate(struct ldesc_sm *, uint64_t line);
/* Ends its cycle. */
void ldesc_l1_end(struct ldesc_sm *);
bool ldesc_l1_due(const struct ldesc_sm *);
extern const struct l1_hooks ldesc_l1_hooks;
extern const struct cache_policy ldesc_l1_policy;

/* port.c */
bool ldesc_port_create(struct ldesc_sm *, const struct gpu_config *, struct block_factory *, struct err *);
struct zone_place ldesc_place(void *self, uint64_t physical, uint32_t map);

#endif
