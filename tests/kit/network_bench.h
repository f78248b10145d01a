/* SPDX-License-Identifier: Apache-2.0 */
/* The bench for one network: its clocks, all domains alike, and its counters. */
#ifndef TANDEM_TESTS_KIT_NETWORK_BENCH_H
#define TANDEM_TESTS_KIT_NETWORK_BENCH_H

#include "kit/config.h"
#include "noc/network.h"

struct network_bench {
  struct clocks clocks;
  struct network *x;
  uint64_t packets, flits, stalls, cycles;
};

/* Creates the network that `config` describes but for clocks and counters. */
static inline int network_bench_try(struct network_bench *b, struct network_config config, struct err *e) {
  memset(b, 0, sizeof *b);
  clocks_start_alike(&b->clocks);
  config.clocks = &b->clocks;
  config.packets = &b->packets;
  config.flits = &b->flits;
  config.stalls = &b->stalls;
  config.cycles = &b->cycles;
  b->x = network_create(&config, e);
  return b->x ? 0 : (int)e->code;
}

static inline void network_bench_open(struct network_bench *b, struct network_config config) {
  struct err e = {0};
  if (network_bench_try(b, config, &e)) fail_msg("%s: %s", config.title, e.text);
}

static inline void network_bench_close(struct network_bench *b) { network_destroy(b->x); }

static inline uint64_t network_now(const struct network_bench *b) { return b->clocks.next[CLOCK_NOC]; }

/* The interconnect's edge of this tick, then the next tick. */
static inline void network_edge(struct network_bench *b) {
  network_cycle(b->x);
  clocks_pass(&b->clocks, network_now(b));
}

#endif
