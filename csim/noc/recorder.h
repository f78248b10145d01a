/* SPDX-License-Identifier: Apache-2.0 */
/* What a network shows to whoever records it. */
#ifndef TANDEM_NOC_RECORDER_H
#define TANDEM_NOC_RECORDER_H

#include <stdint.h>

/* A packet as it enters a network. */
struct packet_record {
  uint64_t cycle;           /* the first interconnect cycle in which it can move */
  uint32_t from, to, flits; /* producer, consumer */
};
/* A grant: the crossbar's allocator lets a packet go, or a router's gives it a virtual channel. */
struct grant_record {
  uint64_t cycle;           /* interconnect cycle */
  uint32_t router, in, out; /* 0 in a crossbar; its ports */
};
/* Shows every packet that is injected, and every grant. Both may be NULL: nobody. */
struct network_recorder {
  void *context;
  void (*packet)(void *context, const struct packet_record *);
  void (*grant)(void *context, const struct grant_record *);
};

#endif
