/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups of a slice, the fetches that they make, and the replies that follow. */
#ifndef TANDEM_MEM_L2_LOOKUP_H
#define TANDEM_MEM_L2_LOOKUP_H

#include "mem/request.h"

struct l2_slice;

/* How a lookup ended, for the agent and the prefetcher. */
struct l2_outcome {
  uint64_t line;
  uint32_t at; /* way that the line is in now */
  bool hit;    /* all that the request wants was there */
  bool found;  /* the line was */
};

/* Looks up one request; false: it lacks something, nothing has changed. *outcome is written in a slice with a cache. */
bool l2_look_up(struct l2_slice *, const struct mem_request *, uint64_t cycle, uint64_t tick, struct l2_outcome *);
/* Fetches a whole line that nobody waits for; false: only ways with pinned lines are left. There is room for a write-back, a free
 * MSHR and room in the channel, and the line is not there. */
bool l2_fetch_line(struct l2_slice *, uint64_t line, uint64_t tick);
/* A reply, or the answer to a metadata access, that leaves l2.latency after `cycle`. There is room. */
void l2_queue_reply(struct l2_slice *, const struct mem_request *, uint64_t cycle);
/* Hands the write-back that waits to the channel, if it has room. */
void l2_push_victim(struct l2_slice *, uint64_t tick);
/* Takes the answer that the channel has. */
void l2_take_answer(struct l2_slice *);
/* Replies to one waiter of the line filled first; there is one. */
void l2_reply_waiter(struct l2_slice *, uint64_t cycle);

#endif
