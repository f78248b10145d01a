/* SPDX-License-Identifier: Apache-2.0 */
/* The memory agent: the part of a proposal that lives beyond the SMs, beside the L2 slices. It works in the L2 clock domain; at
 * every edge its `cycle` comes before the slices' own. A metadata access has two steps: the slice looks it up as it does a request
 * (`performed`: memory is read or written now), and later the data or the acknowledgement is back (`answered`). There is one
 * agent in a memory system. It runs in one host thread while the SMs of the same core cycle run in others: what an SM hands over
 * travels in a packet, and so arrives a cycle later at the earliest. */
#ifndef TANDEM_MEM_AGENT_H
#define TANDEM_MEM_AGENT_H

#include "mem/request.h"

#include <stdio.h>

struct block_factory;
struct clocks;
struct err;
struct gpu_config;
struct memory_counters;
struct memory_packing;
struct memory_system;

/* What a mark does to the line of an address, if the line is in its slice. */
enum l2_mark {
  L2_MARK_PIN,    /* not a victim while others are there, until unpin_all; and as FRONT */
  L2_MARK_FRONT,  /* as if it had just been used */
  L2_MARK_DISTANT /* the next victim of its set */
};

/* What the memory system offers. Addresses are physical. `memory` is the first argument of each call. */
struct memory_services {
  struct memory_system *memory;
  const struct gpu_config *config;
  const struct clocks *clocks;
  struct memory_counters *counters;
  /* Of mem/account.h. The agent adds work of its own that a launch waits for to *in_flight, and other work of its own to
   * *background; the slices count metadata accesses and prefetches there. */
  uint64_t *in_flight, *background;
  void (*mark)(struct memory_system *, uint64_t physical, enum l2_mark);
  void (*unpin_all)(struct memory_system *, uint32_t slice);
  /* The line is there or being fetched. */
  bool (*cached)(const struct memory_system *, uint64_t physical);
  /* Lines that a slice has, or fetches. */
  uint32_t (*lines)(const struct memory_system *, uint32_t slice);
  /* Asks for the line of an address; false: dropped (it is there, or there is no room for a prefetch). */
  bool (*prefetch)(struct memory_system *, uint64_t physical);
  /* A metadata access to eight bytes at a multiple of eight; false: the slice's queue is full, try again. `tag` comes back. */
  bool (*access)(struct memory_system *, uint64_t physical, bool write, uint32_t tag);
  /* The reply to a command that arrived; false: no room, try again. */
  bool (*command_done)(struct memory_system *, const struct mem_request *);
  /* Sends SM `sm` the L1 line at device address `address`, which it has not asked for, from the slice of the line's physical
   * address; false: no room, try again. The SM's proposal decides what becomes of it (system_ops.pushed). */
  bool (*push)(struct memory_system *, uint64_t address, uint64_t physical, uint32_t sm);
};

/* Any pointer but create and destroy may be NULL. */
struct memory_agent_ops {
  void *(*create)(const struct memory_services *, struct block_factory *, struct err *);
  void (*destroy)(void *self);
  void (*cycle)(void *self);
  uint64_t (*wake)(const void *self); /* tick before which no cycle of its own does anything; UINT64_MAX */
  /* The lookup of an SM's request at slice `slice` is done; hit: all that it wants is there; first: it is the first to ask for a
   * line that was prefetched. */
  void (*looked_up)(void *self, uint32_t slice, const struct mem_request *, bool hit, bool first);
  /* An SM's MEM_COMMAND has arrived at slice 0; accepted. */
  void (*command)(void *self, const struct mem_request *);
  void (*performed)(void *self, uint32_t tag);
  void (*answered)(void *self, uint32_t tag);
  void (*ended)(void *self);                  /* a launch has ended: nothing that it waits for is in flight */
  const struct memory_packing *packing;       /* lines in fewer bytes (mem/packing.h); NULL: none */
  void (*describe)(const void *self, FILE *); /* for deadlock reports */
};

#endif
