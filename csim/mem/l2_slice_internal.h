/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a slice, for the slice itself (l2_slice.c) and for what an agent and a prefetcher do to it (l2_side.c). */
#ifndef TANDEM_MEM_L2_SLICE_INTERNAL_H
#define TANDEM_MEM_L2_SLICE_INTERNAL_H

#include "mem/l2_slice.h"
#include "mem/l2_stride.h"
#include "mem/l2_tags.h"

enum { NONE = 0xffff, SECTOR_SETS = 1 << L2_MAX_SECTORS };

struct waiter {
  struct mem_request request;
  uint16_t next;
};

struct mshr {
  uint32_t line;        /* index in the tag array; while fetches are outstanding */
  uint16_t fetches;     /* outstanding at the channel */
  uint16_t unasked;     /* of all fetches, those that a write made: nobody waits for them */
  uint16_t first, last; /* waiters */
  uint16_t next;        /* free list, or lines filled whose waiters are being replied */
  uint8_t sectors;      /* fetched or on their way */
  uint8_t hints;        /* of the fetches, those that a prefetch made */
};

struct reply {
  struct mem_request request;
  uint64_t cycle; /* L2 cycle in which it may leave */
};

/* --- an agent's accesses and hints (l2_side.c) --- */

struct side_access {
  uint64_t address, tick; /* physical; of the call: looked up at later edges */
  uint32_t tag;
  bool write;
};

struct side_answer {
  uint64_t cycle; /* L2 cycle in which it is given */
  uint32_t tag;
};

struct hint {
  uint64_t line, tick; /* of the call */
};

struct l2_side {
  const struct memory_agent_ops *ops; /* or NULL */
  void *agent;
  struct side_access accesses[L2_SIDE_QUEUE]; /* rings */
  struct side_answer answers[L2_SIDE_OPEN];
  struct hint hints[L2_HINT_QUEUE];
  uint32_t access_head, access_count, answer_head, answer_count, hint_head, hint_count;
  uint32_t open;  /* accesses without an answer */
  uint64_t since; /* L2 cycle from which the oldest access could be looked up */
};

struct l2_slice {
  struct l2_slice_config c;
  struct l2_tags tags;
  uint32_t line_bytes, line_shift, latency, write_miss;
  bool cached;   /* else a request is a DRAM request */
  bool strides;  /* l2.prefetch */
  bool extended; /* there is an agent or a prefetcher: `side` and `stride` */
  uint8_t line_sectors;
  uint8_t whole[SECTOR_SETS];  /* sectors of all bursts that touch the set */
  uint8_t bursts[SECTOR_SETS]; /* how many bursts those are */

  struct mshr *mshrs;
  struct waiter *waiters;
  uint16_t free_mshr, free_waiter;    /* list heads */
  uint16_t filled_first, filled_last; /* MSHRs whose waiters are being replied */
  uint32_t busy_mshrs;
  struct reply *replies; /* ring */
  uint32_t reply_head, reply_count, reply_capacity;
  uint64_t victim_line; /* the write-back that waits for the channel */
  uint8_t victim_sectors;
  uint64_t wake;                          /* tick, by what is inside */
  const uint64_t *request_at, *answer_at; /* ticks at which the network and the channel have something for the slice */

  struct l2_side side;
  struct l2_stride stride;
};

/* What l2_slice.c and l2_side.c have of each other. */

/* A reply, or the answer to a side access, that leaves l2.latency after `cycle`. There is room. */
void l2_queue_reply(struct l2_slice *, const struct mem_request *, uint64_t cycle);
static inline bool l2_reply_room(const struct l2_slice *s) { return s->reply_count < s->reply_capacity; }
/* Looks up the oldest request, if there is one; false: nothing has changed. */
bool l2_look_up(struct l2_slice *, uint64_t cycle, uint64_t tick);
/* Looks up one request, not by way of the network; false: it lacks something, nothing has changed. */
bool l2_look_up_one(struct l2_slice *, const struct mem_request *, uint64_t cycle, uint64_t tick);
/* Fetches the whole line for nobody; false: there is no way for it but those of pinned lines. There is a place for a write-back,
 * an MSHR, a place in the channel, and the line is not there. */
bool l2_fetch_hint(struct l2_slice *, uint64_t line, uint64_t tick);

/* The lookup of `r` at `line`, which is way `at` now, is done. `hit`: all that it wants was there; `found`: the line was. */
void l2_looked_up(struct l2_slice *, const struct mem_request *, uint64_t line, uint32_t at, bool hit, bool found);
/* A cycle's lookups, in place of l2_look_up, and what else an agent or a prefetcher has under way. */
void l2_side_cycle(struct l2_slice *, uint64_t cycle, uint64_t tick);
void l2_side_answer(struct l2_slice *, uint32_t tag, uint64_t cycle);
uint64_t l2_side_wake(const struct l2_slice *, uint64_t cycle, uint64_t tick);

#endif
