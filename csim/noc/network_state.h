/* SPDX-License-Identifier: Apache-2.0 */
/* What all networks share: the queues of their producers and consumers. */
#ifndef TANDEM_NOC_NETWORK_STATE_H
#define TANDEM_NOC_NETWORK_STATE_H

#include "base/ring.h"
#include "noc/network_config.h"
#include "noc/recorder.h"

#include <stddef.h>

struct packet {
  _Alignas(8) unsigned char payload[NOC_PAYLOAD_BYTES];
  uint64_t tick; /* when it entered the queue, or when its last flit enters the buffer: seen at later edges */
  uint16_t out, flits;
  struct packet_key key;
};

/* A queue of packets and the port it feeds or is fed by. */
struct port {
  _Alignas(64) struct packet *slots; /* a port has a line of memory of its own: several host threads look */
  struct ring ring;
  uint64_t popped;  /* tick of the last pop */
  uint64_t pops;    /* all of them */
  uint64_t free_at; /* crossbar: first cycle in which the port is idle */
  /* Producer and consumer may look while an edge of the same tick is executed in another host thread: what they look at is
   * one word each, and both of its values mean the same at this tick. */
  uint64_t seen_at; /* first tick at which the head is seen */
  uint64_t room_at; /* first tick at which there is room for a packet */
};

struct network;
struct network_ops {
  size_t bytes; /* of the whole structure, which begins with struct network */
  bool (*start)(struct network *, struct err *);
  void (*end)(struct network *); /* of what start made, or part of it */
  uint32_t (*cycle)(struct network *);
  void (*describe)(const struct network *, FILE *); /* or NULL */
  /* network_route and network_links, of networks of routers */
  uint32_t (*route)(const struct network *, uint32_t in, uint32_t out, uint32_t *links, uint32_t max);
  uint32_t (*links)(const struct network *);
};

struct network {
  const struct network_ops *ops;
  struct network_config config;
  struct port *in, *out;
  uint64_t wake;
  uint64_t *waiting; /* inputs with a packet */
  uint64_t *held;    /* outputs with a packet; written and read by one host thread at a time */
  uint32_t in_words, out_words;
  bool exhaustive;
  struct network_recorder recorder;
};

static inline void network_grant(const struct network *n, uint32_t router, uint32_t in, uint32_t out) {
  if (!n->recorder.grant) return;
  const struct grant_record g = {n->config.clocks->cycle[CLOCK_NOC], router, in, out};
  n->recorder.grant(n->recorder.context, &g);
}

extern const struct network_ops network_crossbar_ops, network_routers_ops;

static inline void port_tell(uint64_t *word, uint64_t tick) { __atomic_store_n(word, tick, __ATOMIC_RELEASE); }
static inline uint64_t port_told(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }

/* A slot freed at this very tick is free from the next edge on. */
static inline bool port_has_room(const struct port *p, uint64_t tick) {
  return p->ring.count + (p->popped == tick) < p->ring.size;
}

static inline void port_tell_room(struct port *p, uint64_t tick) {
  port_tell(&p->room_at, port_has_room(p, tick) ? 0 : ring_full(&p->ring) ? UINT64_MAX : tick + 1);
}

static inline struct packet *port_head(const struct port *p) { return &p->slots[p->ring.head]; }

/* Slot for a packet; port_pushed when it is written. */
static inline struct packet *port_push(struct port *p) { return &p->slots[ring_push(&p->ring)]; }

static inline void port_pushed(struct port *p, const struct packet *packet, uint64_t tick) {
  if (p->ring.count == 1) port_tell(&p->seen_at, packet->tick + 1);
  port_tell_room(p, tick);
}

static inline void port_pop(struct port *p, uint64_t tick) {
  ring_pop(&p->ring);
  p->popped = tick;
  p->pops++;
  uint64_t seen = p->ring.count ? port_head(p)->tick + 1 : UINT64_MAX;
  port_tell(&p->seen_at, seen > tick ? seen : tick + 1);
  port_tell_room(p, tick);
}

/* Tick of an interconnect cycle from the current one on. */
static inline uint64_t network_tick_of(const struct network *n, uint64_t cycle) {
  const struct clocks *c = n->config.clocks;
  return c->next[CLOCK_NOC] + (cycle - c->cycle[CLOCK_NOC]) * c->period[CLOCK_NOC];
}

/* A packet that was injected at one tick has arrived at another one. */
static inline void network_count_latency(const struct network *n, uint64_t injected, uint64_t arrived) {
  uint64_t period = n->config.clocks->period[CLOCK_NOC];
  uint64_t cycles = period == 1 ? arrived - injected : (arrived - injected) / period;
  *n->config.cycles += cycles;
  if (n->config.latencies) histogram_add(n->config.latencies, cycles);
}

static inline void network_earlier(uint64_t *wake, uint64_t tick) {
  if (tick < *wake) *wake = tick;
}

#endif
