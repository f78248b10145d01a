/* SPDX-License-Identifier: Apache-2.0 */
/* One DRAM channel: a scheduling queue, banks with row buffers, a command bus (one command a cycle) and a data bus.
 *
 * A request pushed at a tick can be scheduled from the first DRAM edge after it. It is split into column commands of
 * dram.burst_bytes; it leaves the queue with its last one. With a policy that is a block (dram/block_queue.h) requests enter
 * the queue one per edge, can be scheduled an edge later, and take the column commands of a line each. The data of a READ issued in cycle t is on the bus in cycles
 * t + tCL .. t + tCL + B - 1 (B = burst_bytes / bytes_per_clock); the answer to a request whose last READ was issued in
 * cycle t is seen at the first L2 edge after DRAM edge t + tCL + B + dram.latency.
 * Refresh: every tREFI cycles the channel stops, closes all banks and refreshes as soon as the timings allow. A channel
 * without requests refreshes in the background: those commands are issued (and counted) at their own cycles, but only
 * worked out when the next request arrives.
 *
 * With ideal.dram = row_hits (the upper bound of whatever improves row hits: Vijaykumar 2019, 2.6.2) every row of every bank is
 * open: no ACT, no PRE and none of their timings, refreshes without closing. */
#ifndef TANDEM_DRAM_CHANNEL_H
#define TANDEM_DRAM_CHANNEL_H

#include "base/clock.h"
#include "config/counters.h"
#include "config/gpu_config.h"
#include "dram/address_map.h"
#include "dram/command.h"

#include <stdbool.h>
#include <stdio.h>

struct block_factory;
struct err;
struct dram_channel;
struct histogram;
struct dram_scheduler; /* dram/channel_state.h */

struct dram_config {
  const struct gpu_config *gpu;
  uint32_t index;     /* names the channel to watchers */
  uint32_t ports;     /* producers, 1..DRAM_PORTS: each has its own answers; 0: one */
  uint32_t max_reads; /* outstanding at a time, of a port */
  const struct clocks *clocks;
  const struct address_map *map;
  struct memory_counters *counters;
  uint64_t *in_flight;                    /* a write leaves it with its last column command */
  const struct dram_scheduler *scheduler; /* NULL: the one that dram.scheduler names */
  uint8_t preload;                        /* the class of traffic that dram.prefer names so */
  struct block_factory *factory;          /* makes the block of a policy that is one; NULL: its C model */
};
struct dram_channel *dram_create(const struct dram_config *, struct err *);
void dram_destroy(struct dram_channel *);
void dram_watch(struct dram_channel *, const struct dram_watcher *);   /* NULL: nobody */
void dram_record(struct dram_channel *, const struct dram_recorder *); /* NULL: nobody */
/* Keeps histograms of latencies from arrival to the end of the data, in DRAM cycles; NULL: none. */
void dram_measure(struct dram_channel *, struct histogram *reads, struct histogram *writes);

/* `bursts` column commands in the row of `local`. */
struct dram_request {
  uint64_t local; /* address in the channel */
  uint32_t cta;   /* index in its grid; UINT32_MAX: none */
  uint16_t sm;    /* that asked, below 256, or DRAM_NO_SM */
  uint16_t id;    /* of a read: comes back */
  uint8_t bursts;
  bool write;
  uint8_t port;    /* of a read: whose answer it is, below dram_config.ports */
  uint8_t traffic; /* class of traffic, shown to the scheduling policy */
};

/* Producer side, at the tick of its own edge. */
bool dram_can_push(const struct dram_channel *, uint64_t local);
uint32_t dram_room(const struct dram_channel *, uint64_t local); /* requests for this address that can be pushed */
void dram_push(struct dram_channel *, const struct dram_request *, uint64_t tick);
/* Answers to the reads of a port, in order of their data: the first tick at which the next one is seen, UINT64_MAX: none;
 * where that is kept. */
uint64_t dram_answer_tick(const struct dram_channel *, uint32_t port);
const uint64_t *dram_answer_word(const struct dram_channel *, uint32_t port);
uint16_t dram_take_answer(struct dram_channel *, uint32_t port); /* the read's id */

void dram_cycle(struct dram_channel *);              /* one DRAM edge */
uint64_t dram_wake(const struct dram_channel *);     /* tick before which no edge can change anything */
uint32_t dram_requests(const struct dram_channel *); /* in the queue */
void dram_describe(const struct dram_channel *, FILE *);

#endif
