/* SPDX-License-Identifier: Apache-2.0 */
/* A network from n_in producers to n_out consumers. There are two kinds behind this interface: the packet-switched crossbar
 * (crossbar.c), and routers with virtual channels in a crossbar, a mesh or a ring (routers.c, routers_wiring.c). A packet
 * carries an opaque payload of network_config.payload_bytes bytes.
 *
 * A place or queue slot that becomes free at a tick can be used from the next tick on. So what is injected or popped at a tick
 * changes no edge of that tick, and an edge does not change what can be injected or is seen at its tick. Hence
 * network_can_inject, network_head and network_head_tick may be called while network_cycle of the same tick runs in another
 * host thread; network_inject and network_pop must come after it. */
#ifndef TANDEM_NOC_NETWORK_H
#define TANDEM_NOC_NETWORK_H

#include "noc/network_config.h"
#include "noc/recorder.h"

#include <stdbool.h>

struct network;
struct network *network_create(const struct network_config *, struct err *);
void network_destroy(struct network *);

/* Producer and consumer pass the tick of their own edge. */
bool network_can_inject(const struct network *, uint32_t in, uint64_t tick);
/* Copies the payload. `data_bytes`: length of the packet on the links, after the header. Only after network_can_inject. */
void network_inject(struct network *, uint32_t in, uint32_t out, const void *payload, uint32_t data_bytes,
                    struct packet_key key, uint64_t tick);
/* Payload of the packet that consumer `out` would take next; NULL: none has arrived. */
const void *network_head(const struct network *, uint32_t out, uint64_t tick);
/* Takes it, only after network_head; the next one is seen at later ticks. */
void network_pop(struct network *, uint32_t out, uint64_t tick);
uint64_t network_head_tick(const struct network *, uint32_t out); /* first tick it is seen; UINT64_MAX: none */
/* The word that network_head_tick reads, for a consumer that asks at every edge and runs in the network's thread. */
const uint64_t *network_head_word(const struct network *, uint32_t out);
/* The word that network_can_inject reads: the first tick at which the producer has room. For a producer that runs in the network's thread. */
const uint64_t *network_room_word(const struct network *, uint32_t in);
/* The first of outputs [from, to) that holds a packet, seen or not; `to` if there is none. Under the same condition. */
uint32_t network_next_held(const struct network *, uint32_t from, uint32_t to);
/* The words that network_next_held reads: bit i % 64 of word i / 64 is output i's. */
const uint64_t *network_held_words(const struct network *);

/* Links that a packet takes in a network of routers, those of producer and consumer included; returns how many, at most `max`.
 * Links are numbered from 0 to network_links - 1. */
uint32_t network_route(const struct network *, uint32_t in, uint32_t out, uint32_t *links, uint32_t max);
uint32_t network_links(const struct network *);

/* Keeps a histogram of latencies from injection to arrival, in interconnect cycles; NULL: none. */
void network_measure(struct network *, struct histogram *latency);

/* Shows what recorder.h lists. */
void network_record(struct network *, struct network_recorder);

/* One interconnect edge; returns the packets (crossbar) or flits that started to move. */
uint32_t network_cycle(struct network *);
uint64_t network_wake(const struct network *); /* tick before which no edge can change anything */
/* true: every allocator is asked in every cycle, whatever network_wake says. Changes no result. */
void network_set_exhaustive(struct network *, bool);
void network_describe(const struct network *, FILE *);

#endif
