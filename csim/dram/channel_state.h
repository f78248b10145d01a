/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a channel, which the scheduling policies read. Times are DRAM cycles. */
#ifndef TANDEM_DRAM_CHANNEL_STATE_H
#define TANDEM_DRAM_CHANNEL_STATE_H

#include "base/clock.h"
#include "base/ring.h"
#include "config/counters.h"
#include "dram/command.h"

#include <stddef.h>

struct address_map;
struct block;
struct dram_channel;

enum {
  NO_ENTRY = 0xffff,
  DRAM_MAX_BANKS = 64,
  DRAM_MAX_GROUPS = 16,
  DRAM_CLASSES = 2, /* reads, writes */
  DRAM_SM_WORDS = 256 / 64
};

struct dram_timing {
  uint32_t CL, WL, RCD, RP, RAS, RC, RRD, FAW, CCDS, CCDL, WR, WTR, RTP, RTW, RFC, REFI;
  uint32_t burst;   /* cycles of data of a column command */
  uint32_t latency; /* controller and PHY */
};

/* A queued request. Lists are doubly linked by index: `by_age` over its lane, `by_bank` over its lane and bank. A lane holds
 * what the policy compares by age: everything is in lane 0, or reads in 0 and writes in 1. */
struct dram_link {
  uint16_t prev, next;
};
struct dram_entry {
  uint64_t row, line; /* line: local address; a request lies in one row */
  uint64_t tick;      /* of the push */
  uint64_t arrival;   /* first cycle in which it can be scheduled */
  uint64_t order;     /* of arrival, over both classes */
  struct dram_link by_age, by_bank;
  uint32_t cta;
  uint16_t id, sm;
  uint16_t mates; /* with one lane, in the oldest request for a row of its bank: requests for that row; else 0 */
  uint8_t bank, group, class; /* class: 1 a write */
  uint8_t lane : 1, port : 7; /* port: of a read */
  uint8_t bursts;             /* column commands still to issue */
  uint8_t traffic;            /* dram_request.traffic: for policies that tell requests apart by it */
};
struct dram_list {
  uint16_t first, last;
};

struct dram_bank {
  uint64_t row;
  uint64_t opener;                               /* order of the request the row was opened for */
  uint64_t activate_at, precharge_at, column_at; /* earliest cycle of each command by the bank's own timings */
  struct dram_list list[DRAM_CLASSES];
  uint16_t hit[DRAM_CLASSES]; /* oldest request of a lane for the open row, or NO_ENTRY */
  uint16_t used;              /* places of the queue, arriving requests included */
  uint16_t rows;              /* with one lane: different rows among the queued requests */
  bool open;
  uint8_t group;
  uint64_t arrived_row, sms[DRAM_SM_WORDS]; /* row + 1 of the last arrival; SMs served since the row was opened */
};

/* What the policy wants: the command and the earliest cycle for it. When that is later than the cycle asked about,
 * nothing can be done before, unless a request arrives. */
struct dram_choice {
  uint64_t cycle;
  uint16_t entry;
  uint8_t op; /* DRAM_ACTIVATE, READ, WRITE, PRECHARGE, on the entry's bank */
};

/* Scheduling policy: a block (dram/block_queue.h), or pick(), which is called with at least one request in the queue and no
 * refresh due. Calling it again in the same cycle, or in cycles before choice.cycle, must not change what it decides. */
struct dram_scheduler {
  const char *name;
  bool by_class; /* reads and writes in lanes of their own: the policy takes care of a read after a write of its line */
  bool by_bank;  /* each bank has its own share of the queue */
  void (*pick)(struct dram_channel *, uint64_t cycle, struct dram_choice *);
  /* After a command in `cycle`: the first cycle in which pick() can choose another one if no request arrives. May be
   * early. NULL: the next one. */
  uint64_t (*after)(const struct dram_channel *, uint64_t cycle);
  const char *block; /* NULL: none */
};
extern const struct dram_scheduler dram_fifo, dram_fr_fcfs, dram_most_pending;

struct dram_answer {
  uint64_t tick; /* DRAM edge at which it is ready: seen at later edges */
  uint16_t id;
};

/* The answers of a port that nobody has taken. */
struct dram_answers {
  struct dram_answer *list;
  struct ring ring;
  uint64_t at; /* first tick at which the first one is seen, UINT64_MAX: none */
};

struct dram_channel {
  struct dram_timing t;
  const struct dram_scheduler *scheduler;
  struct block *queue;   /* of a policy that is a block, or NULL */
  uint32_t fixed_bursts; /* with a block: column commands of every request, those of a line; else 0 */
  const struct clocks *clocks;
  const struct address_map *map;
  struct memory_counters *n;
  uint64_t *in_flight;
  const struct dram_watcher *watcher;
  const struct dram_recorder *recorder;
  struct histogram *latency[DRAM_CLASSES]; /* or NULL */
  uint32_t index, n_banks, n_groups;
  bool all_open;     /* ideal.dram = row_hits: banks are open from the start on, at every row */
  uint64_t row_mask; /* bits of a row that must be those of the open one: all, or none */

  uint64_t wake;                                 /* tick */
  uint64_t activate_at, column_at[DRAM_CLASSES]; /* earliest by the timings between banks */
  uint64_t group_at[DRAM_MAX_GROUPS];            /* earliest column command of a bank group */
  uint64_t four[4];                              /* cycles of the last ACTs + 1 (0: never), a ring */
  uint32_t four_at;
  uint64_t after_last; /* cycle after the last command */
  uint64_t refresh_due;

  uint64_t with_hit[DRAM_CLASSES], with_any[DRAM_CLASSES], with_row; /* banks, as bit sets; the last: a row is open */
  struct dram_list age[DRAM_CLASSES];
  uint32_t queued[DRAM_CLASSES];
  /* of the policy fr_fcfs: which class it serves, requests served since it changed, writes that must go first */
  uint32_t serving, served;
  uint64_t urgent_below; /* writes with a smaller order go before any read */
  bool prefers;          /* reads of traffic class `preferred` come first (dram.prefer) */
  uint8_t preferred;

  uint64_t active_from, active_to; /* since when it is at work; cycle after its last data */
  uint32_t capacity, used;
  uint32_t bank_capacity; /* places of the queue that one bank may take */
  struct dram_entry *entries;
  uint16_t *free, *incoming; /* a stack; a queue of pushed entries that no edge has seen yet */
  struct ring incoming_ring;
  uint64_t orders;
  struct dram_answers answers[DRAM_PORTS];
  struct dram_bank bank[DRAM_MAX_BANKS];
};

static inline uint64_t dram_later(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* The row of an open bank is the one that the entry wants. */
static inline bool dram_is_hit(const struct dram_channel *d, const struct dram_bank *b, const struct dram_entry *e) {
  return !((b->row ^ e->row) & d->row_mask);
}

/* Earliest cycle of a column command on the open row of bank b. */
static inline uint64_t dram_column_cycle(const struct dram_channel *d, const struct dram_bank *b, uint32_t class) {
  return dram_later(b->column_at, dram_later(d->column_at[class], d->group_at[b->group]));
}

/* Fills *out with the next command towards request `index`: column, ACT or PRE. */
static inline void dram_towards(const struct dram_channel *d, uint16_t index, struct dram_choice *out) {
  const struct dram_entry *e = &d->entries[index];
  const struct dram_bank *b = &d->bank[e->bank];
  out->entry = index;
  if (!b->open) {
    out->op = DRAM_ACTIVATE;
    out->cycle = dram_later(b->activate_at, d->activate_at);
  } else if (dram_is_hit(d, b, e)) {
    out->op = e->class ? DRAM_WRITE : DRAM_READ;
    out->cycle = dram_column_cycle(d, b, e->class);
  } else {
    out->op = DRAM_PRECHARGE;
    out->cycle = b->precharge_at;
  }
}

#endif
