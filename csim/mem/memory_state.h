/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the memory system, for its construction, its ports (memory_system.c) and its edges (edges.c). */
#ifndef TANDEM_MEM_MEMORY_STATE_H
#define TANDEM_MEM_MEMORY_STATE_H

#include "config/gpu_config.h"
#include "dram/address_map.h"
#include "dram/command.h"
#include "mem/account.h"
#include "mem/networks.h"
#include "mem/zones.h"

struct clocks;
struct dram_channel;
struct dram_checker;
struct histogram;
struct l2_slice;
struct links;
struct memory_agent_ops;
struct network;
struct page_table;
struct perfect_memory;

/* Where an SM enters the networks of its module, and gets its replies. */
struct sm_port {
  struct network *request, *reply;
  uint32_t number, module;  /* its input and output there */
  const uint64_t *reply_at; /* memory_reply_word */
  struct zone_decoder decoder;
};

struct memory_system {
  struct gpu_config config, module; /* of all; of what one module has */
  const struct clocks *clocks;
  struct address_map map; /* of a module's memory */
  struct page_table *pages;
  struct mem_account *account;  /* of each module: what one host thread counts; added where it is asked for */
  struct memory_counters total; /* the sum, as it was last asked for */
  struct histogram *latency;    /* LATENCIES of them for each module but the first one, or NULL */
  bool exhaustive;
  bool busy;                            /* memory_start_edges: something was inside */
  uint32_t through;                     /* modules whose edges of this tick are executed */
  uint32_t n_sms, n_channels, n_slices; /* slices: of all channels */
  struct perfect_memory *perfect;       /* in place of what follows, or NULL */
  uint32_t n_modules;
  struct networks noc[ZONES_MAX]; /* of each module */
  struct sm_port *port;           /* of each SM */
  struct links *links;            /* between modules, or NULL */
  uint32_t full;                  /* module + 1 whose zone had no page left; 0: none */
  struct l2_slice **slices;
  struct dram_channel **channels;
  struct dram_checker **checkers;           /* or NULL */
  const struct memory_agent_ops *agent_ops; /* or NULL */
  void *agent;
  struct dram_watcher watcher;
  uint64_t started_at; /* DRAM cycle since which is counted */
  uint32_t n_banks;    /* of all channels */
  /* without an L2: the row + 1 last asked for of each bank, by all SMs, then by each */
  uint64_t *sent_row;
};

/* Sums over modules. A difference may be below 0 in one of them: what enters in one module may leave in another. */
static inline uint64_t memory_inside(const struct memory_system *s) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < s->n_modules; i++) sum += s->account[i].in_flight;
  return sum;
}

static inline bool memory_busy(const struct memory_system *s) {
  uint64_t background = 0;
  for (uint32_t i = 0; i < s->n_modules; i++) background += s->account[i].background;
  return background || memory_inside(s);
}

#endif
