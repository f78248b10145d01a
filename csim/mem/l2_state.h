/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a slice, for its parts: lookups (l2_lookup.c), metadata accesses and prefetches (l2_metadata.c), and the order of
 * a cycle (l2_slice.c). */
#ifndef TANDEM_MEM_L2_STATE_H
#define TANDEM_MEM_L2_STATE_H

#include "base/ring.h"
#include "dram/address_map.h"
#include "dram/channel.h"
#include "mem/account.h"
#include "mem/agent.h"
#include "mem/l2_stride.h"
#include "mem/l2_tags.h"
#include "mem/request.h"

struct memory_packing;
struct network;

enum { L2_SECTOR_BYTES = 32, L2_MAX_SECTORS = 4, L2_WAITERS_PER_MSHR = 8 };
enum {
  L2_METADATA_QUEUE = 16,
  L2_METADATA_OPEN = 64,
  L2_METADATA_PATIENCE = 8,
  L2_PREFETCH_QUEUE = 16,
  L2_SIZE_WAITS = 64
};
enum { L2_NONE = 0xffff, SECTOR_SETS = 1 << L2_MAX_SECTORS };

struct waiter {
  struct mem_request request;
  uint64_t since; /* L2 cycle of the lookup */
  uint16_t next;
};

struct mshr {
  uint32_t line;        /* index in the tag array; while fetches are outstanding */
  uint16_t fetches;     /* outstanding at the channel */
  uint16_t unasked;     /* of all fetches, those that a write made: nobody waits for them */
  uint16_t first, last; /* waiters */
  uint16_t next;        /* free list, or lines filled whose waiters are being replied */
  uint8_t sectors;      /* fetched or on their way */
  uint8_t prefetches;   /* of the fetches, those that a prefetch made */
};

struct reply {
  struct mem_request request;
  uint64_t cycle; /* L2 cycle in which it may leave */
};

struct metadata_access {
  uint64_t address, tick; /* physical; of the call: looked up at later edges */
  uint32_t tag;
  bool write;
};

struct metadata_answer {
  uint64_t cycle; /* L2 cycle in which it is given */
  uint32_t tag;
};

struct l2_prefetch {
  uint64_t line, tick; /* of the call */
};

/* What comes to the slice by another way than the request network. */
struct l2_metadata {
  const struct memory_agent_ops *ops; /* or NULL */
  void *agent;
  struct metadata_access access[L2_METADATA_QUEUE];
  struct metadata_answer answer[L2_METADATA_OPEN];
  struct l2_prefetch prefetch[L2_PREFETCH_QUEUE];
  struct ring accesses, answers, prefetches;
  uint32_t open;  /* accesses without an answer */
  uint64_t since; /* L2 cycle from which the oldest access could be looked up */
};

/* Requests that wait for the size of their line (l2_packed.h). */
/* COMES: a read is awaited; ASKS: for the size, as often as needed. */
enum l2_size_state { L2_SIZE_DONE, L2_SIZE_COMES, L2_SIZE_ASKS };

struct l2_size_wait {
  struct dram_request request; /* but for its bursts */
  uint64_t line;               /* local line number */
  uint64_t size_line;  /* address in the channel; MEM_NO_SIZE_LINE: the line itself is read, to be written whole */
  uint64_t came;       /* a size line for which it is not known yet what leaves; or MEM_NO_SIZE_LINE */
  uint64_t write_back; /* of another size line, still to be pushed, or MEM_NO_SIZE_LINE */
  uint8_t sectors;     /* of a write, as in l2_packed_push */
  enum l2_size_state state;
};

struct l2_sizes {
  struct l2_size_wait wait[L2_SIZE_WAITS];
  struct ring places; /* taken in order and given back in order */
  uint32_t to_push;   /* requests that wait for the channel or ask, and size lines that leave or may leave */
};

struct l2_slice {
  const struct gpu_config *config;
  uint32_t index, node;     /* of all modules; in its module: number of its ports of the networks */
  uint32_t first_sm, n_sms; /* of its module */
  uint8_t port;             /* of the channel */
  const struct clocks *clocks;
  const struct address_map *map;
  struct network *request, *reply;
  struct dram_channel *channel;
  struct mem_account *account;
  const struct memory_packing *packing; /* of the agent: `sizes`; or NULL */

  struct l2_tags tags;
  uint32_t line_bytes, line_shift, latency, write_miss;
  bool cached;   /* else a request is a DRAM request */
  bool strides;  /* l2.prefetch */
  bool extended; /* there is an agent or a prefetcher: `metadata` and `stride` */
  uint8_t line_sectors;
  uint8_t whole[SECTOR_SETS];  /* sectors of all bursts that touch the set */
  uint8_t bursts[SECTOR_SETS]; /* how many bursts those are */

  struct mshr *mshrs;
  struct waiter *waiters;
  uint16_t free_mshr, free_waiter;    /* list heads */
  uint16_t filled_first, filled_last; /* MSHRs whose waiters are being replied */
  uint32_t busy_mshrs;
  struct reply *reply_slots;
  struct ring replies;
  uint64_t victim_line; /* the write-back that waits for the channel */
  uint8_t victim_sectors, victim_valid;
  uint64_t wake;                          /* tick, by what is inside */
  const uint64_t *request_at, *answer_at; /* ticks at which the network and the channel have something for the slice */

  struct l2_metadata metadata;
  struct l2_stride stride;
  struct l2_sizes sizes;
};

/* Tick before which no edge can change anything: asked at every edge of every slice. */
static inline uint64_t l2_slice_wake(const struct l2_slice *s) {
  uint64_t request = *s->request_at, answer = *s->answer_at;
  uint64_t outside = request < answer ? request : answer;
  return s->wake < outside ? s->wake : outside;
}

static inline bool l2_reply_room(const struct l2_slice *s) { return !ring_full(&s->replies); }

#endif
