/* SPDX-License-Identifier: Apache-2.0 */
/* A network alone under synthetic traffic: latency and throughput at an offered load. */
#ifndef TANDEM_STUDY_NOC_STUDY_H
#define TANDEM_STUDY_NOC_STUDY_H

#include "noc/network.h"
#include "noc/traffic.h"
#include "study/noc_trace.h"

struct dpi;

enum { NOC_STUDY_NODES = 256, NOC_STUDY_LATENCIES = 4096 };

struct noc_study {
  uint32_t topology;             /* NOC_CROSSBAR, NOC_MESH, NOC_RING (config/choices.h) */
  uint32_t columns, rows;        /* mesh; crossbar: producers, consumers; ring: columns = nodes */
  uint32_t traffic, hot_percent; /* enum noc_traffic */
  uint32_t packet_flits;         /* 1..64 */
  const struct noc_trace *trace; /* sent instead of all three, from cycle 0 on, or NULL */
  uint32_t vcs, vc_alloc, buffer_flits, router_latency;
  bool offer_all;
  int64_t allocator; /* noc.allocator */
  uint32_t hash_bits, max_hold, grace;
  uint32_t seed;
  uint64_t warm_up, cycles; /* measured cycles, after the warm-up */
};

/* Figures of one offered load. Rates are flits a producer a cycle. */
struct noc_point {
  double offered, accepted;
  double latency; /* mean cycles of the packets generated in the measured cycles, generation to consumption */
  uint32_t median, p95, p99; /* NOC_STUDY_LATENCIES: more */
  uint64_t packets;          /* generated in the measured cycles that arrived */
  bool saturated;            /* not all of them arrived */
  uint64_t run_cycles;       /* simulated in all */
  double seconds;            /* their host time */
};

/* Bounds by arithmetic, without a simulation. */
struct noc_bounds {
  double throughput;        /* offered load at which the busiest link is full */
  double zero_load_latency; /* mean, of packets that never wait */
};

/* Callbacks while the network of a run exists. */
struct noc_observer {
  void *context;
  int (*begun)(void *context, struct err *), (*ended)(void *context, struct err *); /* not 0: the run has failed */
  const bool *stop; /* set: the run ends (a block diverged) */
};

/* Producers and consumers of the network. */
uint32_t noc_study_producers(const struct noc_study *);
uint32_t noc_study_consumers(const struct noc_study *);

int noc_study_check(const struct noc_study *, struct err *);
int noc_study_bounds(const struct noc_study *, struct noc_bounds *, struct err *);
/* `offered_ppm`: flits a producer in a million cycles, at most a packet a cycle; of a trace any number. `factory`: NULL for the C models;
 * `observer` may be NULL. */
int noc_study_run(const struct noc_study *, uint32_t offered_ppm, struct block_factory *, const struct noc_observer *,
                  struct noc_point *, struct err *);

#endif
