/* SPDX-License-Identifier: Apache-2.0 */
/* A network from n_in producers to n_out consumers, behind one interface: the packet-switched crossbar (crossbar.h) or routers
 * with virtual channels in a crossbar, a mesh or a ring (routers.h).
 *
 * Places and queue slots that become free at a tick count from the next tick on. So what is injected or popped at a tick
 * changes no edge of that tick, nor does an edge change what can be injected or is seen at its tick: network_can_inject,
 * network_head and network_head_tick may be called while network_cycle of the same tick runs in another host thread,
 * network_inject and network_pop after it. */
#ifndef TANDEM_NOC_NETWORK_H
#define TANDEM_NOC_NETWORK_H

#include "base/clock.h"
#include "mem/memory_system.h"
#include "noc/allocator.h"

#include <stdbool.h>

enum { NOC_HEADER_BYTES = 8 }; /* address, kind, tag of a packet; the whole of a read request */

enum network_topology { NETWORK_CROSSBAR, NETWORK_MESH, NETWORK_RING };
enum network_vc_alloc { NETWORK_DVCA, NETWORK_SVCA };

/* Of networks of routers. */
struct network_routers {
  uint32_t topology;                  /* enum network_topology */
  uint32_t nodes, columns;            /* mesh, ring: 2..256 nodes; mesh: node = row * columns + column */
  const uint16_t *in_node, *out_node; /* mesh, ring: node of each producer, each consumer; at most one each a node */
  uint32_t vcs, vc_alloc;             /* 1..8; enum network_vc_alloc */
  uint32_t latency;                   /* cycles of a head flit from one router's input to the next one's, >= 2 */
  uint32_t buffer_flits;              /* of a virtual channel, 1..256 */
  bool by_source;                     /* keys name the producer as mc (replies), else the consumer */
  bool offer_all;                     /* an input offers a packet for each output, not one of all */
  bool sink;                          /* consumers take flits as they come: packets may be longer than a buffer */
};

struct network_config {
  const char *name;     /* path of the instance, as noc.req */
  const char *title;    /* for people, as "request crossbar" */
  uint32_t n_in, n_out; /* 1..256; of a router 1..64 */
  uint32_t in_queue,
    out_queue; /* packets, >= 1; crossbar: out_queue >= 2 lets single flits follow each other every cycle */
  uint32_t latency, flit_bytes;          /* crossbar: interconnect cycles >= 1; bytes */
  const struct network_routers *routers; /* NULL: the packet-switched crossbar */
  const struct allocator_ops *allocator;
  struct allocator_config allocation; /* factory and what the policy needs; ports, path and clock are filled in */
  const struct clocks *clocks;
  uint64_t *packets, *flits, *stalls, *cycles; /* counters to add to; cycles: of packets from injection to arrival */
};

struct network;
struct network *network_create(const struct network_config *, struct err *);
void network_destroy(struct network *);

/* Producer and consumer pass the tick of their own edge. */
bool network_can_inject(const struct network *, uint32_t in, uint64_t tick);
/* `data_bytes`: bytes after the header. Only after network_can_inject. */
void network_inject(struct network *, uint32_t in, uint32_t out, const struct mem_request *, uint32_t data_bytes,
                    struct packet_key key, uint64_t tick);
const struct mem_request *network_head(const struct network *, uint32_t out, uint64_t tick); /* NULL: none yet */
/* Only after head; the next one is seen at later ticks. */
void network_pop(struct network *, uint32_t out, uint64_t tick);
uint64_t network_head_tick(const struct network *, uint32_t out); /* first tick it is seen; UINT64_MAX: none */
/* Where network_head_tick reads, for a consumer that asks at every edge and runs in the thread of the network. */
const uint64_t *network_head_word(const struct network *, uint32_t out);

/* Links that a packet takes in a network of routers, those of producer and consumer included; returns how many, at most `max`.
 * Links are numbered from 0 to network_links - 1. */
uint32_t network_route(const struct network *, uint32_t in, uint32_t out, uint32_t *links, uint32_t max);
uint32_t network_links(const struct network *);

/* One interconnect edge; returns the packets (crossbar) or flits that started to move. */
uint32_t network_cycle(struct network *);
uint64_t network_wake(const struct network *); /* tick before which no edge can change anything */
/* Edges are executed whatever network_wake says: every allocator is asked in every cycle. Changes no result. */
void network_set_exhaustive(struct network *, bool);
void network_describe(const struct network *, FILE *);

#endif
