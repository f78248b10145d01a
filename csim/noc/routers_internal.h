/* SPDX-License-Identifier: Apache-2.0 */
/* A network of routers with virtual channels. In an interconnect cycle c, for the head of a packet that came to a router's
 * input in a cycle before: virtual-channel allocation (an input offers a packet, an output with a free virtual channel that
 * it may take grants one: the allocator, Yuan 2009, 4.3) and, with one, switch allocation (each input one of its virtual
 * channels with a flit and a credit in turn, each output one of those inputs in turn). A flit that wins is at the next input
 * in cycle c + latency - 1, so that a head spends `latency` cycles a router: route computation, the two allocations, switch
 * and link traversal. assumption: both allocations are decided in one cycle, or packets of one flit could follow each other on a
 * virtual channel only every second cycle; the stages are in the latency. The route is known when a head comes to the front
 * of its buffer (computed on arrival). A credit comes back a cycle after the flit has left; an output's virtual channel is
 * free again when the tail has left, whatever the buffer behind it holds.
 *
 * A producer sends a flit a cycle to its router, its packets one after the other; at the consumer flits gather in a buffer
 * like any other, and a packet is seen when its tail is there; its places are given back when it is taken.
 *
 * Virtual channels: `dvca`, a packet takes the lowest free one with a credit, else the lowest free one (Yuan 2009, 4.4;
 * assumption: producers, whose channels are always free, take them in turn); `svca`, the one of its memory controller, mc mod vcs.
 * In a ring the lower half is for packets before the dateline and the upper half for those beyond it (Dally and Seitz 1987),
 * and svca goes by half of the channels. */
#ifndef TANDEM_NOC_ROUTERS_INTERNAL_H
#define TANDEM_NOC_ROUTERS_INTERNAL_H

#include "noc/network_state.h"

enum { ROUTER_PORTS = 64, ROUTER_VCS = 8, VC_BITS = 3, ROUTER_NONE = 0xff, CHANNEL_NONE = 0x7fffffff };

/* Small numbers are 16 bits wide: a store to a byte may alias anything, and the compiler would load every pointer again. */

/* A virtual channel of an input: a ring of flits, and the packet at its front. */
struct vc {
  uint16_t head, count;
  uint16_t out, out_vc; /* output of the packet at the front; its virtual channel once it has one */
  uint16_t allowed;     /* output virtual channels that it may take, a bit each */
};

struct router {
  uint32_t in0, out0; /* its first input and output among those of all routers */
  uint32_t n_in, n_out;
  uint64_t waiting, active; /* inputs with a head that needs a virtual channel; with flits of packets that have one */
  const uint8_t *route;     /* [consumers]: output */
  void *allocator;
  bool busy;   /* the allocator is */
  bool futile; /* no head can have its virtual channel until one is free or another head comes */
};

/* Per input. */
struct input {
  uint16_t waiting, active; /* virtual channels, a bit each */
  uint16_t next_offer, next_send;
  uint16_t held; /* output that the input's last granted packet went to, as long as the grant is held; or ROUTER_NONE */
};

/* Per output. */
struct output {
  uint32_t channel;  /* what it feeds: an input, or behind all inputs a consumer; or CHANNEL_NONE: no link */
  uint16_t first;    /* input with the highest priority at the switch */
  uint16_t holder;   /* the input whose `held` it is, or ROUTER_NONE */
  uint16_t delay;    /* cycles from a switch grant to the arrival */
  uint16_t dateline; /* packets that take this link go on in the upper half of the virtual channels */
};

/* What feeds an input or a consumer. */
struct channel {
  uint16_t free;   /* virtual channels that no packet has, a bit each */
  uint16_t credit; /* ... that have a credit */
  uint16_t usable; /* ... that any packet could ever take */
};

struct producer {
  uint32_t packet, flits, channel; /* being sent */
  uint16_t vc, next;
  uint16_t lacks; /* the first packet of the queue waits for a credit of one of these virtual channels; or 0 */
};

/* What routers look at of a packet; the packet itself is large. */
struct heading {
  uint16_t out, mc;
};

/* A flit on its way: it enters a virtual channel of its channel in its cycle. */
struct arrival {
  uint32_t channel_vc; /* channel << VC_BITS | vc */
  uint32_t flit;
};

/* A packet that arrived, as long as its places are not given back. */
struct held_places {
  uint16_t flits, vc;
};

struct consumer {
  struct held_places *held;
  struct ring ring;
  uint64_t returned; /* of the port's pops */
};

struct wiring {
  uint32_t n_routers, n_inputs, n_outputs;
  struct router *router;
  struct output *output;
  uint32_t *source;    /* [n_in]: channel of each producer */
  uint8_t *route;      /* [n_routers][n_out]: output port */
  uint16_t *router_of; /* [n_inputs] */
};

struct routers {
  struct network base;
  struct network_routers c;
  struct wiring w;
  bool rows, holds, ring;           /* the policy's compares_rows and holds; the topology */
  uint32_t vcs, depth_shift, delay; /* flit ring of 1 << depth_shift; the longest output.delay */
  struct vc *vc;                    /* [n_inputs * vcs] */
  uint32_t *flits;                  /* [n_inputs * vcs] rings */
  struct input *input;
  struct channel *channel; /* [n_inputs + n_out] */
  uint16_t *credits;       /* [(n_inputs + n_out) * vcs] */
  struct producer *producer;
  struct consumer *consumer;
  uint64_t *sending;   /* producers in a packet */
  uint64_t *holding;   /* consumers with places to give back */
  uint64_t *working;   /* routers */
  struct packet *pool; /* of what is inside */
  struct heading *heading;
  uint32_t *free_packets, n_free, n_packets;
  struct arrival *wheel; /* [wheel_slots][wheel_size] */
  uint32_t *wheel_count, wheel_slots, wheel_size, on_the_way;
  uint32_t slot;                /* of this cycle */
  uint32_t *returns, n_returns; /* credits of this cycle: channel << VC_BITS | vc */
  /* one router's allocation */
  uint64_t asks[ROUTER_PORTS], open, idle;
  struct packet_key keys[ROUTER_PORTS];
  uint16_t grant[ROUTER_PORTS];
  struct allocation view;
  uint16_t offer[ROUTER_PORTS * ROUTER_PORTS]; /* [input][output]: virtual channel offered */
  uint16_t allowed[2][256];                    /* before, beyond the dateline; by memory controller */
  uint64_t heads, granted;                     /* packets that wait for a virtual channel; all that got one */
};

/* routers_wiring.c */
/* Routers, links and routes of a topology; false: no memory. The caller has checked the configuration. */
bool routers_wire(struct wiring *, const struct network_config *);
void routers_unwire(struct wiring *);
/* Virtual channels that a packet may take at an output, when it comes in on `vc`. */
uint16_t routers_allowed(const struct network_routers *, bool beyond, uint8_t mc);
/* Marks what every route uses. */
void routers_mark_usable(struct routers *);
/* ERR_VALUE: the topology does not fit. */
int routers_check(const struct network_config *, struct err *);
uint32_t routers_route(const struct network *, uint32_t in, uint32_t out, uint32_t *links, uint32_t max);
uint32_t routers_links(const struct network *);

#endif
