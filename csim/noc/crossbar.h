/* SPDX-License-Identifier: Apache-2.0 */
/* A crossbar of single-queue inputs (head-of-line blocking) and buffered outputs.
 *
 * In interconnect cycle c an input whose head packet was injected before this edge and whose port is idle asks for its
 * output; an idle output with a free buffer place takes one of them (allocator). A packet of F flits keeps both ports for
 * cycles c .. c+F-1; its last flit is in the output buffer at cycle c + latency + F - 1, and the consumer sees it at its
 * first edge after that one. A place is taken at the grant (credit) and given back when the consumer takes the packet; an
 * output has out_queue + latency places, those of the buffer and of the pipeline, so that the latency does not throttle
 * the rate (ours). Places and queue slots that become free at a tick count from the next tick on.
 *
 * So what is injected or popped at a tick changes no edge of that tick, nor does an edge change what can be injected or is
 * seen at its tick: crossbar_can_inject, crossbar_head and crossbar_head_tick may be called while crossbar_cycle of the
 * same tick runs in another host thread, crossbar_inject and crossbar_pop after it. */
#ifndef TANDEM_NOC_CROSSBAR_H
#define TANDEM_NOC_CROSSBAR_H

#include "base/clock.h"
#include "mem/memory_system.h"
#include "noc/allocator.h"

#include <stdbool.h>

enum { NOC_HEADER_BYTES = 8 }; /* address, kind, tag of a packet; the whole of a read request */

struct crossbar_config {
  uint32_t n_in, n_out;         /* 1..256 */
  uint32_t in_queue, out_queue; /* packets, >= 1; out_queue >= 2 lets single flits follow each other every cycle */
  uint32_t latency, flit_bytes; /* interconnect cycles >= 1; bytes */
  const struct allocator_ops *allocator;
  const struct clocks *clocks;
  uint64_t *packets, *flits, *stalls; /* counters to add to */
};

struct crossbar;
struct crossbar *crossbar_create(const struct crossbar_config *, struct err *);
void crossbar_destroy(struct crossbar *);

/* Producer and consumer pass the tick of their own edge. */
bool crossbar_can_inject(const struct crossbar *, uint32_t in, uint64_t tick);
/* `data_bytes`: bytes after the header. Only after crossbar_can_inject. */
void crossbar_inject(struct crossbar *, uint32_t in, uint32_t out, const struct mem_request *, uint32_t data_bytes,
                     uint64_t tick);
const struct mem_request *crossbar_head(const struct crossbar *, uint32_t out, uint64_t tick); /* NULL: none yet */
void crossbar_pop(struct crossbar *, uint32_t out,
                  uint64_t tick); /* only after head; the next one is seen at later ticks */
uint64_t crossbar_head_tick(const struct crossbar *, uint32_t out); /* first tick it is seen; UINT64_MAX: none */
/* Where crossbar_head_tick reads, for a consumer that asks at every edge and runs in the thread of the crossbar. */
const uint64_t *crossbar_head_word(const struct crossbar *, uint32_t out);

/* One interconnect edge; returns the packets that started to move. */
uint32_t crossbar_cycle(struct crossbar *);
uint64_t crossbar_wake(const struct crossbar *); /* tick before which no edge can change anything */
void crossbar_describe(const struct crossbar *, const char *name, FILE *);

#endif
