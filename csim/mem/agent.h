/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a system that lives beyond the SMs, beside the L2 slices. It works in the L2 clock domain: at every edge its
 * `cycle` comes before the slices' own. Timing of a side access: the slice looks it up as a request of its own (`performed`:
 * memory is read or written now), the data or the acknowledgement is back later (`answered`). One agent a memory system; it
 * runs in one host thread, beside the SMs of the same core cycle: what an SM hands over travels in a packet and so arrives
 * a cycle later at the earliest. */
#ifndef TANDEM_MEM_AGENT_H
#define TANDEM_MEM_AGENT_H

#include "mem/memory_system.h"

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
  /* What must end before a launch ends: counted up and down by the agent for work of its own. */
  uint64_t *in_flight;
  /* What goes on without a launch waiting for it: its clock runs on while this is not 0. Side accesses and prefetches are
   * counted here by the slices, the rest by the agent. */
  uint64_t *background;
  void (*mark)(struct memory_system *, uint64_t physical, enum l2_mark);
  void (*unpin_all)(struct memory_system *, uint32_t slice);
  /* The line is there or being fetched. */
  bool (*cached)(const struct memory_system *, uint64_t physical);
  /* Asks for the line of an address; false: dropped (it is there, or there is no room for a hint). */
  bool (*prefetch)(struct memory_system *, uint64_t physical);
  /* Eight bytes at a multiple of eight; false: the slice's queue is full, try again. `tag` comes back. */
  bool (*access)(struct memory_system *, uint64_t physical, bool write, uint32_t tag);
  /* The reply to a command that arrived; false: no room, try again. */
  bool (*command_done)(struct memory_system *, const struct mem_request *);
};

/* Any pointer but create and destroy may be NULL. */
struct memory_agent_ops {
  void *(*create)(const struct memory_services *, struct block_factory *, struct err *);
  void (*destroy)(void *self);
  void (*cycle)(void *self);
  uint64_t (*wake)(const void *self); /* tick before which no cycle of its own does anything; UINT64_MAX */
  /* The lookup of an SM's request at slice `slice` is done; hit: all that it wants is there. */
  void (*looked_up)(void *self, uint32_t slice, const struct mem_request *, bool hit);
  /* An SM's MEM_COMMAND has arrived at slice 0; accepted. */
  void (*command)(void *self, const struct mem_request *);
  void (*performed)(void *self, uint32_t tag);
  void (*answered)(void *self, uint32_t tag);
  void (*describe)(const void *self, FILE *); /* for deadlock reports */
};

/* Before the first cycle. ERR_VALUE: this GPU configuration has no place for an agent (no L2, ideal.memory=perfect). */
int memory_attach(struct memory_system *, const struct memory_agent_ops *, struct block_factory *, struct err *);
void *memory_agent(const struct memory_system *); /* what create returned, or NULL */

#endif
