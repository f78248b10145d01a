/* SPDX-License-Identifier: Apache-2.0 */
/* Everything beyond the SMs: request and reply networks, L2 slices, DRAM channels. It models timing only: the SM performs the
 * values, at issue (loads, stores, atomics) or at the fill (DMA). */
#ifndef TANDEM_MEM_MEMORY_SYSTEM_H
#define TANDEM_MEM_MEMORY_SYSTEM_H

#include "base/clock.h"
#include "config/counters.h"
#include "config/gpu_config.h"
#include "mem/request.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct block_factory;
struct err;

struct memory_system;

/* Nothing is allocated after this. `clocks` is the GPU's; cycle numbers are read from it. `factory` makes the blocks of the
 * networks; NULL: their C models. `dispatcher`: CTA dispatch sends reads, too; the request network, which must be a crossbar, then
 * has an input more for each slice. */
struct memory_system *memory_create(const struct gpu_config *, const struct clocks *, struct block_factory *,
                                    bool dispatcher, struct err *);
void memory_destroy(struct memory_system *);
void memory_reset_counters(struct memory_system *);
const struct memory_counters *memory_counters(struct memory_system *); /* summed, current */
struct memory_counters *memory_own_counters(struct memory_system *);   /* for those who count into them */
uint64_t *memory_own_in_flight(struct memory_system *);                /* likewise: memory_in_flight */

/* Core side, called in core cycles. A packet injected in core cycle t can move at the first interconnect edge after. */
bool memory_can_inject(const struct memory_system *, uint32_t sm);
/* Sends a request from its SM, only after memory_can_inject, or a read of the dispatcher's, only after memory_dispatcher_can_inject;
 * fills in the parts of its address. */
void memory_inject(struct memory_system *, struct mem_request *);
/* The dispatcher's input of the request network for this address: the slice that has it, 0..dram.channels * l2.slices - 1. */
uint32_t memory_dispatcher_input(const struct memory_system *, uint64_t address);
bool memory_dispatcher_can_inject(const struct memory_system *, uint64_t address);
/* Takes the reply waiting for `sm`, if any: at most one a core cycle, arrivals of one cycle ordered by slice. */
bool memory_take_reply(struct memory_system *, uint32_t sm, struct mem_request *out);
bool memory_has_reply(const struct memory_system *, uint32_t sm);
/* The reply that memory_take_reply would take, or NULL. With memory_can_inject and memory_has_reply the calls that SMs may
 * make side by side in several host threads, and beside the edges of the same tick. */
const struct mem_request *memory_first_reply(const struct memory_system *, uint32_t sm);

/* false: no SM of this module has a reply now, or will have one in the core cycle that is executed. Between the edges of a tick. */
bool memory_may_reply(const struct memory_system *, uint32_t module);

/* First tick at which memory_has_reply(sm) can be true as things stand; UINT64_MAX: not before another interconnect edge. */
uint64_t memory_reply_tick(const struct memory_system *, uint32_t sm);
/* The word that has it, for who asks at every edge, in any host thread: to be read by an atomic load that acquires. NULL: perfect memory. */
const uint64_t *memory_reply_word(const struct memory_system *, uint32_t sm);
/* Tick of the next core edge. */
const uint64_t *memory_core_tick(const struct memory_system *);

/* Of several modules: what decodes the addresses of this SM's requests. Before the first cycle. */
struct zone_decoder;
void memory_set_decoder(struct memory_system *, uint32_t sm, const struct zone_decoder *);

struct address_map; /* of physical addresses */
const struct address_map *memory_address_map(const struct memory_system *);
struct page_table;
struct page_table *memory_pages(const struct memory_system *);
/* Counts how many banks and channels the requests of one instruction go to, this one to `address` (Yuan 2009, 7.3); only without an
 * L2, where a request is a DRAM request. *seen: 0 before the instruction's first request. */
void memory_count_banks(const struct memory_system *, uint64_t address, uint64_t *seen, struct sm_counters *);

/* Adds a proposal's memory agent (mem/agent.h), before the first cycle. ERR_VALUE: this GPU configuration has no place for one (no
 * L2, ideal.memory=perfect). */
struct memory_agent_ops;
int memory_attach(struct memory_system *, const struct memory_agent_ops *, struct block_factory *, struct err *);
void memory_ended(struct memory_system *);        /* tells the agent that a launch has ended */
void *memory_agent(const struct memory_system *); /* what its create returned, or NULL */

/* Edges; the GPU calls them at the edges of each domain, in the order noc, L2, DRAM, and injects and takes replies of the
 * same tick before or after all of them: neither can change the other. During a call (and during the
 * core side's calls) clocks->next[domain] is the tick of the edge being executed and clocks->cycle[domain] its number; the
 * caller advances both afterwards. Edges before memory_next_tick may be left out. */
void memory_noc_cycle(struct memory_system *);
void memory_l2_cycle(struct memory_system *);
void memory_dram_cycle(struct memory_system *);
/* The same edges of a tick, of several modules side by side: memory_start_edges, then memory_module_edges once for each module, in any
 * host threads and any order, beside the SMs; the last one executes the links. Not with a recorder, a watcher or an agent,
 * which see one thing after the other. */
void memory_start_edges(struct memory_system *);
void memory_module_edges(struct memory_system *, uint32_t module, uint64_t tick);
/* First tick >= now at which any edge of the domain could change anything (UINT64_MAX: never without new input).
 * It may be too early, never too late. For the core domain a waiting reply counts: the tick is now. */
uint64_t memory_next_tick(const struct memory_system *, enum clock_domain, uint64_t now);
/* An SM has touched a page for which its module's zone has no place (numa.placement = first_touch): *e says so. What it accessed was
 * sent somewhere; the launch is to end. After the SMs have committed. */
bool memory_refused(const struct memory_system *, struct err *);
/* Requests and replies inside, write-backs included. 0: drained. */
uint64_t memory_in_flight(const struct memory_system *);
/* One line per component with work inside, for deadlock reports. */
void memory_describe(const struct memory_system *, FILE *);

/* true: every component works at every edge, whatever it said about when it wakes. Changes no result (a law test). */
void memory_set_exhaustive(struct memory_system *, bool);
/* Attaches a protocol checker to every channel: the first illegal DRAM command aborts. Before the first cycle. */
int memory_check_protocol(struct memory_system *, struct err *);
/* Shows every DRAM command; not together with memory_check_protocol. NULL: nobody. */
struct dram_watcher;
void memory_watch_dram(struct memory_system *, const struct dram_watcher *);
/* Shows every request as it arrives at its DRAM channel. NULL: nobody. */
struct dram_recorder;
void memory_record_dram(struct memory_system *, const struct dram_recorder *);
/* Shows packets and L2 requests (mem/recorder.h), of several modules L2 requests only. NULL: nobody. */
struct mem_recorder;
void memory_record(struct memory_system *, const struct mem_recorder *);
/* Keeps the histograms of a table by enum latency (config/latencies.h) that are not the SMs'. NULL: none. The table has what the first
 * module counts; memory_add_latencies adds the others'. ERR_LIMIT: the host has no memory for these. */
struct histogram;
int memory_measure(struct memory_system *, struct histogram *table, struct err *);
void memory_add_latencies(const struct memory_system *, struct histogram *table);

#endif
