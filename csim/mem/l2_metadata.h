/* SPDX-License-Identifier: Apache-2.0 */
/* What a slice with a cache does for a memory agent (mem/agent.h) and for its prefetcher. Addresses are physical, and of this
 * slice. What is handed over at an edge takes part from the next edge on, in whatever order agent and slices come.
 *
 * A metadata access is a read or write like those of the SMs (counters l2_*, replacement, fetches), but it takes no place in the
 * networks: its answer comes l2.latency cycles after its lookup or fill. It is looked up in a cycle without a request; after
 * L2_METADATA_PATIENCE cycles at the head of its queue it goes first, and requests wait until it has been looked up.
 *
 * A prefetch is looked up when nothing else is. It is dropped when its line is there, when three quarters of the channel's queue
 * are taken, when only one MSHR is left, and when it could only replace a pinned line. */
#ifndef TANDEM_MEM_L2_METADATA_H
#define TANDEM_MEM_L2_METADATA_H

#include "mem/agent.h"

struct l2_slice;
struct l2_outcome;

/* Before any request. False: no host memory. */
bool l2_slice_attach(struct l2_slice *, const struct memory_agent_ops *, void *agent);
/* The calls of memory_services. */
void l2_slice_mark(struct l2_slice *, uint64_t physical, enum l2_mark);
void l2_slice_unpin_all(struct l2_slice *);
bool l2_slice_cached(const struct l2_slice *, uint64_t physical);
uint32_t l2_slice_lines(const struct l2_slice *);
bool l2_slice_prefetch(struct l2_slice *, uint64_t physical);
bool l2_slice_access(struct l2_slice *, uint64_t physical, bool write, uint32_t tag);
bool l2_slice_reply(struct l2_slice *, const struct mem_request *); /* to the request's SM */

/* For the slice's own cycle: gives the answers that are due; */
void l2_metadata_give_answers(struct l2_slice *, uint64_t cycle);
/* true: a metadata access has waited so long that it goes before requests; */
bool l2_metadata_first(const struct l2_slice *, uint64_t cycle);
/* looks up a metadata access, or else a prefetch; */
void l2_metadata_look_up(struct l2_slice *, uint64_t cycle, uint64_t tick);
/* a request has been looked up: tells the agent, trains the prefetcher; */
void l2_metadata_note(struct l2_slice *, const struct mem_request *, const struct l2_outcome *);
uint64_t l2_metadata_wake(const struct l2_slice *, uint64_t cycle, uint64_t tick);

#endif
