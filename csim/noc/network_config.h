/* SPDX-License-Identifier: Apache-2.0 */
/* What a network is made of: its ports, its routers, its allocator. */
#ifndef TANDEM_NOC_NETWORK_CONFIG_H
#define TANDEM_NOC_NETWORK_CONFIG_H

#include "base/clock.h"
#include "base/histogram.h"
#include "config/choices.h"
#include "config/packet.h"
#include "noc/allocator.h"

#include <stdio.h>

enum {
  NOC_PAYLOAD_BYTES = 40
}; /* the most that the model carries with a packet, whatever the packet's length on the links */

/* A topology for links between modules: a link from each node to each other one. */
enum { NETWORK_ALL_TO_ALL = NOC_RING + 1 };

/* Of networks of routers. */
struct network_routers {
  uint32_t topology;                  /* NOC_CROSSBAR, NOC_MESH, NOC_RING (config/choices.h), NETWORK_ALL_TO_ALL */
  uint32_t nodes, columns;            /* mesh, ring: 2..256 nodes; mesh: node = row * columns + column */
  const uint16_t *in_node, *out_node; /* mesh, ring, all: node of each producer, each consumer */
  uint32_t vcs, vc_alloc;             /* 1..8; NOC_DVCA, NOC_SVCA */
  uint32_t latency;                   /* cycles of a head flit from one router's input to the next one's, >= 2 */
  uint32_t last_latency;              /* and to its consumer, 2..latency; 0: `latency` */
  uint32_t buffer_flits;              /* of a virtual channel, 1..256 */
  uint32_t consumer_flits;            /* of a virtual channel to a consumer, 1..buffer_flits; 0: buffer_flits */
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
  uint32_t latency, flit_bytes; /* crossbar: interconnect cycles >= 1; bytes */
  uint32_t payload_bytes;       /* 1..NOC_PAYLOAD_BYTES, what the producer hands over and the consumer gets */
  void (*describe)(const void *payload, FILE *); /* the packet in a few words, for deadlock reports */
  const struct network_routers *routers;         /* NULL: the packet-switched crossbar */
  uint32_t prefer;                               /* crossbar: NOC_PREFER_NONE, ... (config/choices.h) */
  uint8_t preload;                               /* the class of packets that it names so; all others are demand */
  const struct allocator_ops *allocator;
  struct allocator_config allocation; /* factory and what the policy needs; ports, path and clock are filled in */
  const struct clocks *clocks;
  uint64_t *packets, *flits, *stalls, *cycles; /* counters to add to; cycles: of packets from injection to arrival */
  uint64_t *hops; /* routers: counts a flit for each link from router to router that it takes; NULL: nothing does */
  struct histogram *latencies; /* of what `cycles` sums, or NULL */
};

#endif
