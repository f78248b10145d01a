/* SPDX-License-Identifier: Apache-2.0 */
#include "study/noc_study.h"

#include "base/err.h"
#include "base/host_clock.h"

#include <stdlib.h>
#include <string.h>

enum {
  QUEUE = 4,
  BANKS = 4,
  FLIT_BYTES = 64,
  LINKS_MAX = 2 * NOC_STUDY_NODES,
  DRAIN = 8,              /* times the measured cycles */
  DRAIN_OF_TRACE = 100000 /* cycles at least */
};

/* What a packet carries. */
struct parcel {
  uint64_t born; /* cycle in which it was generated */
  uint32_t flits;
};

/* One run. A producer's queue is unbounded: packets that do not fit the network's queue keep their generation time. */
struct run {
  const struct noc_study *s;
  struct clocks clocks;
  struct network *x;
  struct traffic traffic;
  struct rng rng[NOC_STUDY_NODES]; /* one per producer, so that producers draw independently */
  uint64_t next[NOC_STUDY_NODES];  /* generation time of its next packet */
  uint16_t row[NOC_STUDY_NODES];
  const uint64_t *head[NOC_STUDY_NODES]; /* tick of the first packet at each consumer */
  const bool *stop;
  size_t sent[NOC_STUDY_NODES]; /* of a trace: each producer's next packet */
  uint32_t n_in, n_out;
  uint64_t packets, flits, stalls, waited;
  uint64_t wanted, came, sum, taken; /* packets of the window, arrived ones, their latencies; flits arrived in it */
  uint32_t histogram[NOC_STUDY_LATENCIES + 1];
};

uint32_t noc_study_producers(const struct noc_study *s) {
  return s->topology == NOC_MESH ? s->columns * s->rows : s->columns;
}

uint32_t noc_study_consumers(const struct noc_study *s) {
  return s->topology == NOC_CROSSBAR ? s->rows : noc_study_producers(s);
}

int noc_study_check(const struct noc_study *s, struct err *e) {
  struct traffic t;
  if (noc_study_producers(s) > NOC_STUDY_NODES || noc_study_consumers(s) > NOC_STUDY_NODES)
    return err_set(e, ERR_VALUE, "a network of %u nodes; at most %d", noc_study_producers(s), NOC_STUDY_NODES);
  return traffic_start(&t, s->traffic, noc_study_producers(s), noc_study_consumers(s),
                       s->topology == NOC_MESH ? s->columns : 0, s->hot_percent, e);
}

static struct network *create(const struct noc_study *s, struct block_factory *factory, struct run *r,
                              const struct allocator_ops *policy, struct err *e) {
  uint16_t node[NOC_STUDY_NODES];
  for (uint32_t i = 0; i < NOC_STUDY_NODES; i++) node[i] = (uint16_t)i;
  clocks_start(&r->clocks, (uint64_t[]){1, 1, 1, 1});
  r->n_in = noc_study_producers(s);
  r->n_out = noc_study_consumers(s);
  struct network_routers routers = {.topology = s->topology,
                                    .nodes = r->n_in,
                                    .columns = s->columns,
                                    .in_node = node,
                                    .out_node = node,
                                    .vcs = s->vcs,
                                    .vc_alloc = s->vc_alloc,
                                    .latency = s->router_latency,
                                    .buffer_flits = s->buffer_flits,
                                    .offer_all = s->offer_all,
                                    .sink = true};
  struct network_config config = {
    .name = "noc",
    .title = "network",
    .n_in = r->n_in,
    .n_out = r->n_out,
    .in_queue = QUEUE,
    .flit_bytes = FLIT_BYTES,
    .payload_bytes = sizeof(struct parcel),
    .routers = &routers,
    .allocator = policy,
    .allocation = {.factory = factory,
                   .hash_bits = s->hash_bits,
                   .max_hold = s->max_hold,
                   .grace = s->grace,
                   .seed = s->seed,
                   .banks = BANKS,
                   .controllers = s->topology == NOC_CROSSBAR ? 1 : r->n_out},
    .clocks = &r->clocks,
    .packets = &r->packets,
    .flits = &r->flits,
    .stalls = &r->stalls,
    .cycles = &r->waited,
  };
  return network_create(&config, e);
}

/* ---- bounds ---- */

/* Adds `share` flits a cycle from `in` to `out` to the links on their way; returns the latency of a packet that never waits. */
static double add_load(const struct run *r, uint32_t in, uint32_t out, double share, uint32_t flits, double *load) {
  uint32_t links[LINKS_MAX], n = network_route(r->x, in, out, links, LINKS_MAX);
  for (uint32_t k = 0; k < n; k++) load[links[k]] += share;
  /* a cycle each to the queue, over the producer's link and at the consumer; n links have n - 1 routers between them */
  return 2 + (double)(n - 1) * r->s->router_latency + flits;
}

/* The mean latency; the load is that of one flit a producer a cycle. */
static double load_links(const struct run *r, double *load) {
  const struct noc_study *s = r->s;
  double latency = 0;
  for (size_t i = 0; s->trace && i < s->trace->n; i++) {
    const struct packet_record *p = &s->trace->packet[i];
    double share = (double)p->flits * r->n_in / (double)s->trace->flits;
    latency += add_load(r, p->from, p->to, share, p->flits, load) / (double)s->trace->n;
  }
  for (uint32_t i = 0; !s->trace && i < r->n_in; i++)
    for (uint32_t o = 0; o < r->n_out; o++) {
      double share = traffic_share(&r->traffic, i, o);
      latency += share * add_load(r, i, o, share, s->packet_flits, load) / r->n_in;
    }
  return latency;
}

int noc_study_bounds(const struct noc_study *s, struct noc_bounds *out, struct err *e) {
  struct run *r = calloc(1, sizeof *r);
  double *load = NULL, latency = 0, most = 0;
  int status = r ? noc_study_check(s, e) : err_set(e, ERR_LIMIT, "out of memory");
  if (!status) r->s = s;
  if (!status && !(r->x = create(s, NULL, r, &allocator_round_robin, e))) status = (int)e->code;
  if (!status && !(load = calloc(network_links(r->x), sizeof *load))) status = err_set(e, ERR_LIMIT, "out of memory");
  if (!status)
    status = traffic_start(&r->traffic, s->traffic, r->n_in, r->n_out, s->topology == NOC_MESH ? s->columns : 0,
                           s->hot_percent, e);
  if (!status) latency = load_links(r, load);
  for (uint32_t k = 0; !status && k < network_links(r->x); k++)
    if (load[k] > most) most = load[k];
  if (!status) *out = (struct noc_bounds){.throughput = 1 / most, .zero_load_latency = latency};
  if (r) network_destroy(r->x);
  free(load);
  free(r);
  return status;
}

/* ---- a run ---- */

static bool in_window(const struct noc_study *s, uint64_t cycle) {
  return cycle >= s->warm_up && cycle < s->warm_up + s->cycles;
}

static void send(struct run *r, uint32_t in, uint32_t out, uint32_t flits, struct packet_key key, uint64_t now) {
  const struct parcel parcel = {r->next[in], flits};
  network_inject(r->x, in, out, &parcel, flits * FLIT_BYTES - NOC_HEADER_BYTES, key, now);
  r->wanted += in_window(r->s, parcel.born);
}

static void inject(struct run *r, uint32_t in, uint64_t now) {
  const struct noc_study *s = r->s;
  struct rng *rng = &r->rng[in];
  while (r->next[in] <= now && network_can_inject(r->x, in, now)) {
    uint32_t out = traffic_destination(&r->traffic, in, rng), draw = rng_u32(rng);
    if (!(draw & 7))
      r->row[in] = (uint16_t)(draw >> 3 & 0xfff); /* assumption: a producer stays in a row for eight packets */
    struct packet_key key = {.row = r->row[in], .bank = (uint8_t)(draw >> 15 & 3), .mc = (uint8_t)out};
    send(r, in, out, s->packet_flits, key, now);
    r->next[in] += traffic_gap(&r->traffic, rng);
  }
}

/* The cycle of the producer's next packet. */
static uint64_t traced(const struct run *r, uint32_t in) {
  const struct noc_trace *t = r->s->trace;
  return r->sent[in] < t->n && t->packet[r->sent[in]].from == in ? t->packet[r->sent[in]].cycle : UINT64_MAX;
}

static void inject_traced(struct run *r, uint32_t in, uint64_t now) {
  while (r->next[in] <= now && network_can_inject(r->x, in, now)) {
    const struct packet_record *p = &r->s->trace->packet[r->sent[in]++];
    struct packet_key key = {.mc = (uint8_t)p->to};
    send(r, in, p->to, p->flits, key, now);
    r->next[in] = traced(r, in);
  }
}

static void take(struct run *r, uint32_t out, uint64_t now) {
  const struct noc_study *s = r->s;
  const struct parcel parcel = *(const struct parcel *)network_head(r->x, out, now);
  uint64_t latency = now - parcel.born;
  network_pop(r->x, out, now);
  if (in_window(s, now)) r->taken += parcel.flits;
  if (!in_window(s, parcel.born)) return;
  r->came++;
  r->sum += latency;
  r->histogram[latency < NOC_STUDY_LATENCIES ? latency : NOC_STUDY_LATENCIES]++;
}

/* Saturated: fewer packets arrive than are generated, so queues grow without bound. assumption: at least 3 % fewer. */
static bool saturated(const struct run *r) {
  return !r->s->trace && r->taken * 100 < r->wanted * r->s->packet_flits * 97;
}

/* True when every packet of the window has been generated and has arrived. */
static bool drained(const struct run *r) {
  if (r->came < r->wanted) return false;
  for (uint32_t i = 0; i < r->n_in; i++)
    if (r->next[i] < r->s->warm_up + r->s->cycles) return false;
  return true;
}

static void start_producers(struct run *r, uint32_t offered_ppm) {
  const struct noc_study *s = r->s;
  if (!s->trace) traffic_rate(&r->traffic, offered_ppm / s->packet_flits);
  for (uint32_t i = 0; i < r->n_in; i++) {
    if (s->trace) {
      while (r->sent[i] < s->trace->n && s->trace->packet[r->sent[i]].from < i) r->sent[i]++;
      r->next[i] = traced(r, i);
    } else {
      rng_seed(&r->rng[i], (uint64_t)s->seed << 16 | i);
      r->next[i] = traffic_gap(&r->traffic, &r->rng[i]);
    }
  }
}

static uint64_t simulate(struct run *r) {
  const struct noc_study *s = r->s;
  uint64_t end = s->warm_up + s->cycles, last = end + DRAIN * s->cycles, now = 0;
  if (s->trace) last += DRAIN_OF_TRACE;
  for (; now < end || (now < last && !saturated(r) && !drained(r)); now++) {
    for (uint32_t o = 0; o < r->n_out; o++)
      if (*r->head[o] <= now) take(r, o, now);
    for (uint32_t i = 0; i < r->n_in; i++)
      if (r->next[i] <= now) s->trace ? inject_traced(r, i, now) : inject(r, i, now);
    network_cycle(r->x);
    if (r->stop && *r->stop) break;
    r->clocks.cycle[CLOCK_NOC] = r->clocks.next[CLOCK_NOC] = now + 1;
  }
  return now;
}

static uint32_t percentile(const struct run *r, uint32_t percent) {
  uint64_t below = 0;
  for (uint32_t k = 0; k <= NOC_STUDY_LATENCIES; k++) {
    below += r->histogram[k];
    if (below * 100 >= r->came * percent) return k;
  }
  return NOC_STUDY_LATENCIES;
}

int noc_study_run(const struct noc_study *s, uint32_t offered_ppm, struct block_factory *factory,
                  const struct noc_observer *observer, struct noc_point *out, struct err *e) {
  struct run *r = calloc(1, sizeof *r);
  int status = r ? noc_study_check(s, e) : err_set(e, ERR_LIMIT, "out of memory");
  if (!status) {
    r->s = s;
    r->x = create(s, factory, r, allocator_of(s->allocator), e);
    status = r->x ? traffic_start(&r->traffic, s->traffic, r->n_in, r->n_out, s->topology == NOC_MESH ? s->columns : 0,
                                  s->hot_percent, e)
                  : (int)e->code;
  }
  if (!status && observer) status = observer->begun(observer->context, e);
  if (!status) {
    r->stop = observer ? observer->stop : NULL;
    start_producers(r, offered_ppm);
    for (uint32_t o = 0; o < r->n_out; o++) r->head[o] = network_head_word(r->x, o);
    double start = host_seconds();
    uint64_t cycles = simulate(r);
    double flits = (double)r->taken / (double)s->cycles / r->n_in;
    double offered = s->trace ? (double)s->trace->flits / (double)s->cycles / r->n_in : offered_ppm / 1e6;
    *out = (struct noc_point){.offered = offered,
                              .accepted = flits,
                              .latency = r->came ? (double)r->sum / (double)r->came : 0,
                              .median = percentile(r, 50),
                              .p95 = percentile(r, 95),
                              .p99 = percentile(r, 99),
                              .packets = r->came,
                              .saturated = saturated(r) || !drained(r),
                              .run_cycles = cycles,
                              .seconds = host_seconds() - start};
  }
  if (!status && observer) status = observer->ended(observer->context, e);
  if (r) network_destroy(r->x);
  free(r);
  return status;
}
